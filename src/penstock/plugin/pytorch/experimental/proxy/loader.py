"""DataLoader: that of torch, with the results of a pipeline in its batches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from penstock.interop.extras import framework
from penstock.plugin.pytorch.experimental.proxy.server import DALIServer

torch_data: Any = framework("torch.utils.data", "penstock.plugin.pytorch", "torch")


class DataLoader(torch_data.DataLoader):  # type: ignore[misc]
    """A torch DataLoader whose data set calls the proxy of a server; its batches hold what the pipeline made.

    Args:
        dali_server: Is started if it is not running.
        args: As for torch's DataLoader.
        kwargs: As for torch's DataLoader.
    """

    def __init__(self, dali_server: DALIServer, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.dali_server = dali_server

    def __iter__(self) -> Iterator[Any]:
        self.dali_server.begin_loop()
        return _Batches(self.dali_server, super().__iter__(), self.persistent_workers)


class _Batches:
    """An epoch of a loader."""

    def __init__(self, server: DALIServer, batches: Any, persistent: bool) -> None:
        self._server = server
        self._batches = batches
        self._persistent = persistent

    def __iter__(self) -> _Batches:
        return self

    def __len__(self) -> int:
        return len(self._batches)

    def __next__(self) -> Any:
        return self._server.produce_data(next(self._batches))

    def __del__(self) -> None:
        if not self._persistent:  # the workers end with the epoch, and nobody will ask for what they began
            self._server.discard([worker.pid for worker in getattr(self._batches, "_workers", ())])

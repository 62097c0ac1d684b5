#include "bind/runtime/native_chain.h"

#include "bind/memory/sample_views.h"

namespace penstock {

std::optional<Samples> NativeChain::run(const Samples& in, size_t n, Pool& pool, ChainTimes* times) const {
  if (code(in) != code_ || in.ndim() != ndim_ || in.layout != layout_) return std::nullopt;
  ChainResult result;
  {
    std::optional<GilRelease> release;
    result = run_chain(
        pool, in, n, steps_, [&] { release.emplace(); }, OnFailure::stop, times);
  }
  if (!result.samples || !result.failures.empty()) return std::nullopt;
  if (in.size() == n) result.samples->take_origin(in);
  result.samples->layout = made_layout_;
  return std::move(result.samples);
}

}  // namespace penstock

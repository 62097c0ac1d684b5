// A browser starts no Worker for a page that was opened from a folder. There the search runs in a hidden frame instead:
// the script of the worker finds the same functions, and messages pass as events.
if (location.protocol === "file:") {
  class IFrameWorker extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.appendChild(this.frame);
      const inside = this.frame.contentDocument;
      this.frame.contentWindow.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.loaded = new Promise((done) => {
        const script = inside.createElement("script");
        script.src = url;
        script.onload = done;
        inside.body.appendChild(script);
      });
    }

    async postMessage(data) {
      await this.loaded;
      this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
    }

    terminate() {
      this.frame.remove();
    }
  }
  window.IFrameWorker = IFrameWorker; // by which the search sees that it is in a frame
  window.Worker = IFrameWorker;
}

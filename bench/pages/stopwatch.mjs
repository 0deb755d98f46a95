// Runs in the page, before anything of the page does. What is measured is asked for by these names.
Object.assign(window, { whenPainted, watchFrames, awaitKey, awaitPress });

/**
 * Says when as many things as that are on the screen, in milliseconds since the navigation began. They are looked for
 * before each frame is painted; the message comes after it.
 * @param {string} selector
 * @param {number} count
 * @returns {Promise<number>}
 */
function whenPainted(selector, count) {
  return new Promise((resolve) => {
    const look = () => {
      // What the page has drawn and still hides is not on the screen.
      if (!document.querySelectorAll(selector)[count - 1]?.checkVisibility()) {
        requestAnimationFrame(look);
        return;
      }
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now());
      port2.postMessage(undefined);
    };
    requestAnimationFrame(look);
  });
}

/** Notes the time of every frame. The answer is called to stop, and tells them. */
function watchFrames() {
  /** @type {number[]} */
  const times = [];
  let isOver = false;
  /** @param {number} now */
  const note = (now) => {
    times.push(now);
    if (!isOver) requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
  return () => {
    isOver = true;
    return times;
  };
}

/**
 * Waits for the next key. `keyPainted` then says how long it took from there to a graph with a task of this id.
 * @param {string} id
 */
function awaitKey(id) {
  const keyPainted = paintedAfter('keydown', `.react-flow__node [title="${CSS.escape(id)}"]`, 1);
  Object.assign(window, { keyPainted });
}

/**
 * Waits for the next press. `pressPainted` then says how long it took from there to as many things as that.
 * @param {string} selector
 * @param {number} count
 */
function awaitPress(selector, count) {
  Object.assign(window, { pressPainted: paintedAfter('pointerdown', selector, count) });
}

/**
 * @param {'keydown' | 'pointerdown'} kind
 * @param {string} selector
 * @param {number} count
 * @returns {Promise<number>}
 */
function paintedAfter(kind, selector, count) {
  return new Promise((resolve) => {
    /** @param {Event} event */
    const listener = async (event) => resolve((await whenPainted(selector, count)) - event.timeStamp);
    window.addEventListener(kind, listener, { capture: true, once: true });
  });
}

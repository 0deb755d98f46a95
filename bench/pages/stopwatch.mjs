// Runs in the page before the page's own scripts. The benchmark calls these functions by name.
Object.assign(window, { whenPainted, watchFrames, awaitKey, awaitPress, awaitText, awaitTravel });

/**
 * Resolves when `count` matching elements are visible, with the milliseconds since the navigation began.
 * Checks before each frame is painted, and resolves after it.
 * @param {string} selector
 * @param {number} count
 * @returns {Promise<number>}
 */
function whenPainted(selector, count) {
  return new Promise((resolve) => {
    const look = () => {
      // Elements that are rendered but hidden do not count.
      if (!document.querySelectorAll(selector)[count - 1]?.checkVisibility()) {
        requestAnimationFrame(look);
        return;
      }
      afterPaint(() => resolve(performance.now()));
    };
    requestAnimationFrame(look);
  });
}

/** Records the time of every frame. The returned function stops recording and returns the times. */
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
 * Waits for the next key press. `keyPainted` then resolves with the time until the graph shows a task of this
 * id.
 * @param {string} id
 */
function awaitKey(id) {
  const keyPainted = paintedAfter('keydown', `.react-flow__node[aria-label="${CSS.escape(id)}"]`, 1);
  Object.assign(window, { keyPainted });
}

/**
 * Waits for the next click. `pressPainted` then resolves with the time until `count` matching elements are
 * visible.
 * @param {string} selector
 * @param {number} count
 */
function awaitPress(selector, count) {
  Object.assign(window, { pressPainted: paintedAfter('pointerdown', selector, count) });
}

/**
 * Waits for the next key press. `textPainted` then resolves with the time until a line of the editor contains the text.
 * @param {string} text
 */
function awaitText(text) {
  const textPainted = new Promise((resolve) => {
    /** @param {Event} event */
    const listener = (event) => {
      const look = () => {
        const lines = [...document.querySelectorAll('.monaco-editor .view-line')];
        if (lines.some((line) => line.textContent?.includes(text)))
          afterPaint(() => resolve(performance.now() - event.timeStamp));
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    };
    window.addEventListener('keydown', listener, { capture: true, once: true });
  });
  Object.assign(window, { textPainted });
}

/**
 * Waits for the next step of time travel. `travelPainted` then resolves with the time until the views of the page show
 * the moment that the handle chose.
 */
function awaitTravel() {
  const travelPainted = new Promise((resolve) => {
    /** @param {Event} event */
    const listener = (event) => {
      const band = document.querySelector('[data-moment]');
      const chosen = /** @type {HTMLInputElement} */ (event.target).value;
      const look = () => {
        if (band?.getAttribute('data-moment') === chosen)
          afterPaint(() => resolve(performance.now() - event.timeStamp));
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    };
    window.addEventListener('input', listener, { capture: true, once: true });
  });
  Object.assign(window, { travelPainted });
}

/** @param {() => void} then */
function afterPaint(then) {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = then;
  port2.postMessage(undefined);
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

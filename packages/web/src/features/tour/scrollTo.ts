/** Brings an element into view over a time, in the nearest part of the page that scrolls. */
export function scrollTo(element: Element, durationMs: number): () => void {
  const scroller = scrollingParent(element);
  const view = scroller.getBoundingClientRect();
  const box = element.getBoundingClientRect();
  if (box.top >= view.top && box.bottom <= view.bottom) return () => {};
  const from = scroller.scrollTop;
  const distance = box.top - view.top - Math.max(0, (view.height - box.height) / 2);
  const startedAt = performance.now();
  let frame = 0;
  const move = (now: number) => {
    const part = durationMs === 0 ? 1 : Math.min(1, (now - startedAt) / durationMs);
    scroller.scrollTop = from + distance * (1 - (1 - part) ** 3);
    if (part < 1) frame = requestAnimationFrame(move);
  };
  frame = requestAnimationFrame(move);
  return () => cancelAnimationFrame(frame);
}

function scrollingParent(element: Element): Element {
  for (let one = element.parentElement; one; one = one.parentElement)
    // `hidden` too: the tour keeps the reader from scrolling, not itself.
    if (one.scrollHeight > one.clientHeight && /auto|scroll|hidden/.test(getComputedStyle(one).overflowY))
      return one;
  return document.documentElement;
}

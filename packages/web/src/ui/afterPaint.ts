/** Ends once the browser has drawn what it had to draw: for what nobody looks for first. */
export const afterPaint = (): Promise<void> =>
  new Promise((resolve) => {
    // Not in every browser there is.
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout: 500 });
    else setTimeout(resolve);
  });

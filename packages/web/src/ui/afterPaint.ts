/** Resolves after the next paint: for parts that users do not look for first. */
export const afterPaint = (): Promise<void> =>
  new Promise((resolve) => {
    // Not in every browser there is.
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout: 500 });
    else setTimeout(resolve);
  });

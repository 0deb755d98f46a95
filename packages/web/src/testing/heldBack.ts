/** A moment that a test waits for or makes others wait for: replies that await `until` arrive once it is released. */
export function heldBack(): { readonly until: Promise<void>; release(): void } {
  let release = () => {};
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { until, release: () => release() };
}

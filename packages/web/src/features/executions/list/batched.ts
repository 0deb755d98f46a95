/** Collects the questions of one moment into calls of at most `most` ids. */
export function batched<T>(
  most: number,
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): (id: string) => Promise<T | undefined> {
  let open: { readonly ids: Set<string>; readonly answer: Promise<ReadonlyMap<string, T>> } | undefined;
  return async (id) => {
    if (!open || open.ids.size >= most) {
      const ids = new Set<string>();
      const answer = Promise.resolve().then(async () => {
        // The rows of a list are drawn in one go, and their effects run after it.
        await new Promise((resolve) => setTimeout(resolve));
        if (open?.ids === ids) open = undefined;
        return read([...ids]);
      });
      open = { ids, answer };
    }
    open.ids.add(id);
    return (await open.answer).get(id);
  };
}

type Tree = { [key: string]: unknown };

/**
 * The `outputs` variable, kept up to date run by run instead of being built for every rendering: keyed by task id,
 * and under it by the loop values from the outermost to the task run's own.
 */
export class OutputTree {
  readonly tree: Tree = Object.create(null) as Tree;

  set(
    taskId: string,
    values: readonly string[],
    outputs: Readonly<Record<string, unknown>> | undefined,
  ): void {
    const path = [taskId, ...values];
    const last = path.pop()!;
    let at: Tree = this.tree;
    for (const key of path) {
      const next = at[key];
      if (next !== undefined) at = next as Tree;
      else if (outputs === undefined) return;
      else {
        const made = Object.create(null) as Tree;
        at[key] = made;
        at = made;
      }
    }
    if (outputs === undefined) delete at[last];
    else at[last] = outputs;
  }
}

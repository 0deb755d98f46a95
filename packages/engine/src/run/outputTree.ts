import { openOutputs } from './sealedOutputs.ts';

type Tree = { [key: string]: unknown };
type Values = Readonly<Record<string, unknown>>;

/**
 * The `outputs` variable, kept up to date run by run instead of being built for every rendering: keyed by task id,
 * and under it by the loop values from the outermost to the task run's own. Sealed texts are open in it.
 */
export class OutputTree {
  readonly tree: Tree = Object.create(null) as Tree;
  /** Every sealed text that was decrypted; no log may show them. */
  readonly secrets = new Set<string>();
  readonly #decrypt: ((value: string) => string) | undefined;

  constructor(decrypt?: (value: string) => string) {
    this.#decrypt = decrypt;
  }

  open(outputs: Values | undefined): Values | undefined {
    return openOutputs(outputs, this.#decrypt, (text) => this.secrets.add(text));
  }

  /** With `again` the outputs are also available under that key. */
  set(taskId: string, values: readonly string[], sealed: Values | undefined, again?: string): void {
    const outputs = this.open(sealed);
    const path = [taskId, ...values];
    const last = path.pop()!;
    let at: Tree = this.tree;
    const above: [Tree, string][] = [];
    for (const key of path) {
      above.push([at, key]);
      const next = at[key];
      if (next !== undefined) at = next as Tree;
      else if (outputs === undefined) return;
      else {
        const made = Object.create(null) as Tree;
        at[key] = made;
        at = made;
      }
    }
    if (outputs === undefined) {
      delete at[last];
      // A task without any outputs has no entry, as after a reload.
      for (const [tree, key] of above.reverse()) {
        if (Object.keys(tree[key] as Tree).length > 0) break;
        delete tree[key];
      }
    } else at[last] = again === undefined ? outputs : { [again]: outputs, ...outputs };
  }
}

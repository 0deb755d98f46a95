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
  /** The entries of each level of the tree: counting the keys of a loop at every removal would be quadratic. */
  readonly #sizes = new WeakMap<Tree, number>();

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
        this.#put(at, key, made);
        at = made;
      }
    }
    if (outputs === undefined) {
      this.#delete(at, last);
      // A task without any outputs has no entry, as after a reload.
      for (const [tree, key] of above.reverse()) {
        if (this.#sizeOf(tree[key] as Tree) > 0) break;
        this.#delete(tree, key);
      }
    } else this.#put(at, last, again === undefined ? outputs : { [again]: outputs, ...outputs });
  }

  #put(tree: Tree, key: string, value: unknown): void {
    if (!(key in tree)) this.#sizes.set(tree, this.#sizeOf(tree) + 1);
    tree[key] = value;
  }

  #delete(tree: Tree, key: string): void {
    if (!(key in tree)) return;
    this.#sizes.set(tree, this.#sizeOf(tree) - 1);
    delete tree[key];
  }

  #sizeOf(tree: Tree): number {
    return this.#sizes.get(tree) ?? Object.keys(tree).length;
  }
}

import type { Catalogue, TypeInfo } from '../catalogue.ts';
import type { Path } from './path.ts';
import type { Data } from './read/fields.ts';
import { commonTaskProperties } from './read/readTask.ts';
import { commonTriggerProperties } from './read/readTriggers.ts';
import type { Node, ScalarNode } from './yaml/node.ts';

/** Caps catalogue lookups, because a hostile text can consist of such numbers only. */
const maxQuestions = 1000;

/**
 * [E353] Where a type expects a text, a number or a `True` keeps its source text: the environment variable
 * `3.10` is not `3.1`, and `007` is not `7`. Everywhere else the parsed value is used. Changes the data in
 * place, before any other code reads it.
 */
export function keepWrittenTexts(root: Node, data: unknown, catalogue: Catalogue): void {
  new Keeper(catalogue).walk(root, data, undefined);
}

/** The nearest definition around a value, and how long the path to it is. */
interface Definition {
  readonly info: TypeInfo;
  readonly depth: number;
}

class Keeper {
  readonly #catalogue: Catalogue;
  readonly #seen = new Set<unknown>();
  /** The path of the current value; mutated in place, because it is rarely needed. */
  readonly #path: (string | number)[] = [];
  #questions = 0;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  walk(node: Node, data: unknown, around: Definition | undefined): void {
    if (node.kind === 'scalar' || this.#seen.has(data)) return;
    this.#seen.add(data);
    const holder = data as Data; // the data was made from this node; a list is read by its indexes
    if (node.kind === 'list') {
      for (const [index, item] of node.items.entries()) this.#visit(item, holder, index, around);
      return;
    }
    const info = typeof holder.type === 'string' ? this.#catalogue.find(holder.type) : undefined;
    const definition = info ? { info, depth: this.#path.length } : around;
    for (const { key, value } of node.entries) this.#visit(value, holder, key.text, definition);
  }

  #visit(node: Node, holder: Data, key: string | number, around: Definition | undefined): void {
    const value: unknown = Object.hasOwn(holder, key) ? holder[key] : undefined;
    this.#path.push(key);
    if (node.kind !== 'scalar') {
      if (typeof value === 'object' && value !== null) this.walk(node, value, around);
    } else if (around && isWrittenOtherwise(value, node)) {
      if (this.#wantsText(around.info, this.#path.slice(around.depth), value)) holder[key] = node.text;
    }
    this.#path.pop();
  }

  /** A property expects a text if it accepts any text and no map. Errors elsewhere do not matter. */
  #wantsText(info: TypeInfo, path: Path, value: unknown): boolean {
    if (isCommon(String(path[0])) || ++this.#questions > maxQuestions) return false;
    const wrongs = (tried: unknown) =>
      info.check(wrap(path, tried)).filter(({ severity }) => severity === 'error' || severity === 'warning')
        .length;
    const asText = wrongs('x');
    return asText <= wrongs(value) && wrongs({}) > asText;
  }
}

const isWrittenOtherwise = (value: unknown, { value: read, text }: ScalarNode): boolean =>
  (typeof value === 'number' || typeof value === 'boolean') && value === read && String(value) !== text;

const isCommon = (name: string): boolean =>
  name === 'type' || commonTaskProperties.has(name) || commonTriggerProperties.has(name);

/** The properties with this one value and nothing else. */
function wrap(path: Path, value: unknown): Data {
  let wrapped = value;
  for (const key of [...path].reverse()) wrapped = typeof key === 'number' ? [wrapped] : { [key]: wrapped };
  return wrapped as Data; // the first key of a path below a definition is a name
}

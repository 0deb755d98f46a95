import { importModule, messageOf, TaskFailed } from '@millrace/plugin-kit';
import type { SaxesParser, SaxesTagPlain } from 'saxes';

/** An element while it is read. */
interface OpenElement {
  readonly name: string;
  readonly fields: Map<string, unknown>;
  text: string;
}

export interface XmlFormat {
  /** The names from the root down to the elements that become rows; the whole document when absent. */
  readonly path?: readonly string[] | undefined;
  /** Elements of these names are always lists. */
  readonly forceList: ReadonlySet<string>;
}

const maxDepth = 500;

/**
 * Reads elements as maps: attributes and children by name, children that repeat as lists, text under `content`.
 * With a path each element there is returned when it ends, so that only one is in memory.
 */
export async function* readXmlElements(
  texts: AsyncIterable<string>,
  format: XmlFormat,
): AsyncGenerator<{ readonly name: string; readonly value: unknown }, void, undefined> {
  const { SaxesParser: Parser } = await importModule<typeof import('saxes')>('saxes');
  const parser = new Parser();
  const builder = new ElementBuilder(format);
  connect(parser, builder);
  for await (const text of texts) {
    parser.write(text);
    yield* builder.take();
  }
  parser.close();
  yield* builder.take();
}

function connect(parser: SaxesParser, builder: ElementBuilder): void {
  parser.on('error', (error) => {
    const problem = messageOf(error)
      .replace(/^(undefined:)?\d+:\d+: /, '')
      .replace(/\.$/, '');
    throw new TaskFailed(`Line ${parser.line}, column ${parser.column} is invalid XML: ${problem}.`, {
      retry: false,
    });
  });
  // `as`: without namespaces the attributes are a plain map.
  parser.on('opentag', (tag) => builder.open(tag as SaxesTagPlain));
  parser.on('text', (text) => builder.text(text));
  parser.on('cdata', (text) => builder.text(text));
  parser.on('closetag', () => builder.close());
}

class ElementBuilder {
  readonly #format: XmlFormat;
  /** The names of all open elements. */
  readonly #names: string[] = [];
  /** The open elements that belong to a row. */
  readonly #elements: OpenElement[] = [];
  #finished: { name: string; value: unknown }[] = [];

  constructor(format: XmlFormat) {
    this.#format = format;
  }

  take(): { name: string; value: unknown }[] {
    const finished = this.#finished;
    this.#finished = [];
    return finished;
  }

  open({ name, attributes }: SaxesTagPlain): void {
    this.#names.push(name);
    if (this.#names.length > maxDepth)
      throw new TaskFailed(`The XML nests deeper than ${maxDepth} elements.`, { retry: false });
    if (this.#elements.length === 0 && !this.#isRow()) return;
    const fields = new Map<string, unknown>();
    for (const [key, value] of Object.entries(attributes)) fields.set(key, typedValue(value));
    this.#elements.push({ name, fields, text: '' });
  }

  text(text: string): void {
    const element = this.#elements.at(-1);
    if (element) element.text += text;
  }

  close(): void {
    this.#names.pop();
    const element = this.#elements.pop();
    if (!element) return;
    const value = elementValue(element);
    const parent = this.#elements.at(-1);
    if (parent) add(parent.fields, element.name, value, this.#format.forceList.has(element.name));
    else this.#finished.push({ name: element.name, value });
  }

  #isRow(): boolean {
    const { path } = this.#format;
    if (!path) return this.#names.length === 1;
    return (
      path.length === this.#names.length &&
      path.every((name, index) => name === '*' || name === this.#names[index])
    );
  }
}

function add(fields: Map<string, unknown>, name: string, value: unknown, isList: boolean): void {
  const earlier = fields.get(name);
  if (!fields.has(name)) fields.set(name, isList ? [value] : value);
  else if (Array.isArray(earlier)) earlier.push(value);
  else fields.set(name, [earlier, value]);
}

function elementValue({ fields, text }: OpenElement): unknown {
  const content = text.trim();
  if (fields.size === 0) return content === '' ? '' : typedValue(content);
  if (content !== '') add(fields, 'content', typedValue(content), false);
  return fields;
}

/** Detects numbers and booleans by their form; a value with a leading zero or plus stays text. */
function typedValue(text: string): unknown {
  if (text === 'true') return true;
  if (text === 'false') return false;
  if (text === 'null') return null;
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) || text === '-0') return text;
  const number = Number(text);
  if (!Number.isFinite(number)) return text;
  if (/^-?\d+$/.test(text)) return Number.isSafeInteger(number) ? number : BigInt(text);
  return number;
}

import { TaskFailed } from '@millrace/plugin-kit';

export interface JsonElement {
  readonly text: string;
  /** Where it begins, from 1. */
  readonly line: number;
}

const open = new Set(['[', '{']);
const close = new Set([']', '}']);

/**
 * Streams the elements of a JSON array; any other value is one element. Only the outermost array is split
 * here: each element must still be parsed, which detects errors inside it.
 */
export async function* jsonElements(
  texts: AsyncIterable<string>,
): AsyncGenerator<JsonElement, void, undefined> {
  const splitter = new ArraySplitter();
  for await (const text of texts) yield* splitter.read(text);
  yield* splitter.end();
}

class ArraySplitter {
  readonly #interesting = /["\\[\]{},\n]/g;
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  #isArray: boolean | undefined;
  #hasEnded = false;
  #afterComma = false;
  #pending: string[] = [];
  #line = 1;
  #startLine = 1;

  *read(text: string): Generator<JsonElement, void, undefined> {
    let from = 0;
    let at = 0;
    if (this.#isEscaped && text !== '') {
      this.#isEscaped = false;
      at = 1;
    }
    if (this.#isArray === undefined) {
      const first = /[^\s\uFEFF]/.exec(text);
      if (!first) {
        this.#countLines(text);
        return;
      }
      this.#countLines(text.slice(0, first.index));
      this.#isArray = first[0] === '[';
      at = first.index + (this.#isArray ? 1 : 0);
      from = at;
      this.#startLine = this.#line;
    }
    this.#interesting.lastIndex = at;
    for (let found = this.#interesting.exec(text); found; found = this.#interesting.exec(text)) {
      const mark = found[0];
      if (mark === '\n') this.#line++;
      else if (mark === '\\') {
        if (found.index + 1 === text.length) this.#isEscaped = true;
        // The character after a backslash is escaped, so skip it.
        else this.#interesting.lastIndex = found.index + 2;
      } else if (mark === '"') this.#inString = !this.#inString;
      else if (!this.#inString) {
        const isEnd = this.#depth === 0 && (mark === ',' || mark === ']') && this.#isArray && !this.#hasEnded;
        if (isEnd) {
          this.#pending.push(text.slice(from, found.index));
          from = found.index + 1;
          yield* this.#element(mark);
        } else if (open.has(mark)) this.#depth++;
        else if (close.has(mark)) this.#depth--;
      }
    }
    if (from < text.length) this.#pending.push(text.slice(from));
  }

  *end(): Generator<JsonElement, void, undefined> {
    const rest = this.#pending.join('');
    if (this.#isArray === undefined) return;
    if (!this.#isArray) {
      yield { text: rest, line: this.#startLine };
      return;
    }
    if (!this.#hasEnded) throw invalid(this.#line, 'the array is not closed');
    if (rest.trim() !== '') throw invalid(this.#line, 'there is text after the end of the array');
  }

  *#element(mark: string): Generator<JsonElement, void, undefined> {
    const text = this.#pending.join('');
    this.#pending = [];
    const isBlank = text.trim() === '';
    if (mark === ']') this.#hasEnded = true;
    if (isBlank && (mark === ',' || this.#afterComma))
      throw invalid(this.#line, `there is no value before "${mark}"`);
    this.#afterComma = mark === ',';
    if (!isBlank) yield { text, line: this.#startLine };
    this.#startLine = this.#line;
  }

  #countLines(text: string): void {
    for (const char of text) if (char === '\n') this.#line++;
  }
}

export const invalid = (line: number, problem: string): TaskFailed =>
  new TaskFailed(`Line ${line} is invalid JSON: ${problem}.`, { retry: false });

import { TaskFailed } from '@millrace/plugin-kit';

export interface CsvFormat {
  readonly separator: string;
  readonly quote: string;
  readonly allowExtraAfterQuote: boolean;
  readonly maxFieldSize: number;
  readonly maxRecordSize: number;
}

export interface CsvRecord {
  readonly fields: readonly string[];
  /** Where it begins, from 1. */
  readonly line: number;
  /** Why it cannot be trusted; the fields are then a best guess. */
  readonly problem?: string;
}

const modes = { start: 0, plain: 1, quoted: 2, afterQuote: 3 } as const;
const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/** Reads CSV incrementally, in chunks of any size. Lines end with `\n`, `\r\n` or `\r`. */
export class CsvReader {
  readonly #separator: number;
  readonly #quote: number;
  readonly #format: CsvFormat;
  #mode: (typeof modes)[keyof typeof modes] = modes.start;
  #field = '';
  #fields: string[] = [];
  #size = 0;
  #line = 1;
  #recordLine = 1;
  #quoteLine = 1;
  #problem: string | undefined;
  #endsWithReturn = false;

  constructor(format: CsvFormat) {
    this.#format = format;
    this.#separator = format.separator.charCodeAt(0);
    this.#quote = format.quote.charCodeAt(0);
  }

  *read(text: string): Generator<CsvRecord, void, undefined> {
    let at = 0;
    if (this.#endsWithReturn && text !== '') {
      if (text.charCodeAt(0) === lineFeed) at = 1;
      this.#endsWithReturn = false;
    }
    while (at < text.length) {
      const isQuote = text.charCodeAt(at) === this.#quote;
      if (this.#mode === modes.quoted) at = this.#readQuoted(text, at);
      else if (isQuote && this.#mode !== modes.plain) {
        // Two consecutive quotes are an escaped quote.
        if (this.#mode === modes.afterQuote) this.#append(this.#format.quote);
        else this.#quoteLine = this.#line;
        this.#mode = modes.quoted;
        at++;
      } else {
        const end = this.#endOfPlain(text, at);
        if (end > at) this.#readPlain(text.slice(at, end));
        at = end + 1;
        if (end === text.length) break;
        this.#endField();
        const mark = text.charCodeAt(end);
        if (mark === this.#separator) continue;
        if (mark === carriageReturn) {
          if (at === text.length) this.#endsWithReturn = true;
          else if (text.charCodeAt(at) === lineFeed) at++;
        }
        yield this.#endRecord();
      }
    }
  }

  /** The remaining records at the end of the text. */
  *end(): Generator<CsvRecord, void, undefined> {
    if (this.#mode === modes.quoted)
      this.#problem ??= `the quoted field that begins on line ${this.#quoteLine} is not closed`;
    if (this.#mode === modes.start && this.#fields.length === 0) return;
    this.#endField();
    yield this.#endRecord();
  }

  #readQuoted(text: string, from: number): number {
    const found = text.indexOf(this.#format.quote, from);
    const end = found < 0 ? text.length : found;
    for (let at = text.indexOf('\n', from); at >= 0 && at < end; at = text.indexOf('\n', at + 1))
      this.#line++;
    this.#append(text.slice(from, end));
    if (found < 0) return end;
    this.#mode = modes.afterQuote;
    return end + 1;
  }

  #endOfPlain(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const char = text.charCodeAt(at);
      if (char === this.#separator || char === lineFeed || char === carriageReturn) return at;
    }
    return text.length;
  }

  #readPlain(text: string): void {
    if (this.#mode === modes.afterQuote && !this.#format.allowExtraAfterQuote)
      this.#problem ??= `"${text.slice(0, 20)}" follows a closing quote`;
    if (this.#mode === modes.start) this.#mode = modes.plain;
    this.#append(text);
  }

  #append(text: string): void {
    this.#field = this.#field === '' ? text : this.#field + text;
    this.#size += text.length;
    const { maxFieldSize, maxRecordSize } = this.#format;
    if (this.#field.length > maxFieldSize) throw this.#tooLong('field', 'maxFieldSize', maxFieldSize);
    if (this.#size > maxRecordSize) throw this.#tooLong('record', 'maxBufferSize', maxRecordSize);
  }

  #tooLong(what: string, property: string, limit: number): TaskFailed {
    return new TaskFailed(
      `The ${what} that begins on line ${this.#recordLine} is longer than "${property}" allows (${limit} characters). ` +
        'Check the quotes of the file, or raise the limit.',
      { retry: false },
    );
  }

  #endField(): void {
    this.#fields.push(this.#field);
    this.#field = '';
    this.#mode = modes.start;
  }

  #endRecord(): CsvRecord {
    const record = {
      fields: this.#fields,
      line: this.#recordLine,
      ...(this.#problem !== undefined && { problem: this.#problem }),
    };
    this.#fields = [];
    this.#size = 0;
    this.#problem = undefined;
    this.#line++;
    this.#recordLine = this.#line;
    return record;
  }
}

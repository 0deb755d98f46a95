import { readDuration } from '../../duration.ts';
import type { Findings } from '../findings.ts';
import type { Path } from '../path.ts';
import { hasExpression } from '../subflowTarget.ts';
import { keepRead } from '../written.ts';

export type Data = Record<string, unknown>;

export const isData = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value as a message quotes it, shortened. */
export function quote(value: unknown): string {
  const text = typeof value === 'string' ? `"${value}"` : (JSON.stringify(value) ?? String(value));
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

/** One map of the document, read property by property; every finding names its path and its value. */
export class Fields {
  readonly data: Data;
  readonly path: Path;
  readonly findings: Findings;

  constructor(data: Data, path: Path, findings: Findings) {
    this.data = data;
    this.path = path;
    this.findings = findings;
  }

  at(name: string): Path {
    return [...this.path, name];
  }

  /** The value as written; an explicit null counts as absent. */
  get(name: string): unknown {
    return this.data[name] ?? undefined;
  }

  refuseUnknown(known: ReadonlySet<string>): void {
    for (const name of Object.keys(this.data)) {
      if (known.has(name)) continue;
      const names = [...known].join(' | ');
      this.findings.error(this.at(name), `Unrecognized property "${name}"; known properties: ${names}`);
    }
  }

  wrong(name: string, expected: string): undefined {
    this.findings.error(this.at(name), `${quote(this.data[name])} is not valid; expected ${expected}`);
    return undefined;
  }

  missing(name: string): undefined {
    this.findings.error(this.at(name), 'is required');
    return undefined;
  }

  /** Numbers and booleans are taken as the text they were written as. */
  text(name: string): string | undefined {
    const value = this.get(name);
    if (value === undefined || typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    return this.wrong(name, 'a text');
  }

  requiredText(name: string): string | undefined {
    return this.get(name) === undefined ? this.missing(name) : this.text(name);
  }

  flag(name: string): boolean | undefined {
    const value = this.get(name);
    if (value === undefined || typeof value === 'boolean') return value;
    const word = typeof value === 'string' ? value.toLowerCase() : '';
    if (['true', 'yes', 'on'].includes(word)) return true;
    return ['false', 'no', 'off'].includes(word) ? false : this.wrong(name, 'true or false');
  }

  integer(name: string, minimum: number): number | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof number === 'number' && Number.isInteger(number) && number >= minimum) return number;
    return this.wrong(name, `a whole number of at least ${minimum}`);
  }

  oneOf<T extends string>(name: string, values: readonly T[]): T | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    const found = values.find((candidate) => candidate === value);
    return found ?? this.wrong(name, `one of ${values.join(' | ')}`);
  }

  /** Milliseconds of a literal duration. */
  duration(name: string): number | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    return readDuration(value) ?? this.wrong(name, 'an ISO 8601 duration such as PT10S');
  }

  /** [E112] A duration that is rendered when the task runs: an expression is fine, a wrong literal a warning. */
  renderedDuration(name: string): void {
    const value = this.get(name);
    if (value === undefined || (typeof value === 'string' && hasExpression(value))) return;
    if (readDuration(value) !== undefined) return;
    const expected = 'expected an ISO 8601 duration such as PT10S';
    this.findings.warning(this.at(name), `${quote(value)} is not valid; ${expected}`);
  }

  list(name: string): unknown[] | undefined {
    const value = this.get(name);
    if (value === undefined || Array.isArray(value)) return value;
    return this.wrong(name, 'a list');
  }

  map(name: string): Data | undefined {
    const value = this.get(name);
    if (value === undefined || isData(value)) return value;
    return this.wrong(name, 'a map');
  }

  /** The maps of a list, each with its own path; items that are not maps are reported and left out. */
  items(name: string): Fields[] {
    return this.#slots(name).filter((item) => item !== undefined);
  }

  /** Reads each map of a list; unreadable items are left out without moving the positions of the others. */
  each<T extends object>(name: string, read: (item: Fields) => T | undefined): T[] | undefined {
    if (this.get(name) === undefined) return undefined;
    return keepRead(this.#slots(name).map((item) => item && read(item)));
  }

  #slots(name: string): (Fields | undefined)[] {
    return (this.list(name) ?? []).map((item, index) => {
      const path = [...this.path, name, index];
      if (isData(item)) return new Fields(item, path, this.findings);
      this.findings.error(path, `${quote(item)} is not valid; expected a map`);
      return undefined;
    });
  }

  child(name: string): Fields | undefined {
    const data = this.map(name);
    return data && new Fields(data, this.at(name), this.findings);
  }
}

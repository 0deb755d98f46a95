import type { LogEntry, LogFile } from './logFile.ts';

export interface LogLimits {
  readonly lines: number;
  readonly characters: number;
}

/** The last lines of a truncated log that are still stored. */
const tailLines = 1_000;
const tailLength = 1_048_576;

type Write = (entry: LogEntry) => void | Promise<void>;

/**
 * Limits the stored log of an attempt, because a script may print more than a database should hold. Up to the
 * limits lines are stored directly. All later lines go to a file; the last ones are also stored when the
 * attempt ends.
 */
export class CappedLog {
  readonly #write: Write;
  readonly #openFile: () => LogFile;
  readonly #limits: LogLimits;
  /** Receives all lines past the limit. */
  #rest: { readonly file: LogFile; readonly tail: Tail } | undefined;
  #lines = 0;
  #characters = 0;

  constructor(write: Write, openFile: () => LogFile, limits: LogLimits) {
    this.#write = write;
    this.#openFile = openFile;
    this.#limits = limits;
  }

  /** Whether all lines are stored, without a file. */
  get isWhole(): boolean {
    return this.#rest === undefined;
  }

  add(entry: LogEntry): void | Promise<void> {
    this.#lines++;
    this.#characters += entry.message.length;
    const { lines, characters } = this.#limits;
    if (!this.#rest && this.#lines <= lines && this.#characters <= characters) return this.#write(entry);
    this.#rest ??= this.#moveToFile(entry);
    this.#rest.tail.add(entry);
    return this.#rest.file.add(entry);
  }

  /** Stores the last lines of a truncated log and returns the URI of the file with all later lines. */
  async close(): Promise<string | undefined> {
    if (!this.#rest) return undefined;
    const { file, tail } = this.#rest;
    const uri = await file.close();
    const last = tail.entries();
    const lines = this.#lines - last.length;
    const characters = this.#characters - last.reduce((sum, { message }) => sum + message.length, 0);
    if (lines > 0) {
      const at = last[0]?.at ?? tail.lastAt;
      await this.#write({
        at,
        level: 'WARN',
        message: `… ${describe(lines, characters)} are left out here; they are in ${uri}`,
      });
    }
    for (const entry of last) {
      const full = this.#write(entry);
      if (full) await full;
    }
    return uri;
  }

  /** Switches to the file; from here on the counters apply to the file. */
  #moveToFile({ at, message }: LogEntry) {
    const { lines, characters } = this.#limits;
    const limit = this.#lines > lines ? `${format(lines)} lines` : `${format(characters)} characters`;
    this.#lines = 1;
    this.#characters = message.length;
    void this.#write({
      at,
      level: 'WARN',
      message: `This attempt has logged ${limit}. Further lines are kept in a file; the last ones are shown here when the attempt ends.`,
    });
    return { file: this.#openFile(), tail: new Tail() };
  }
}

/** The last entries of a stream of any length, in the memory of few. */
class Tail {
  #older: LogEntry[] = [];
  #newer: LogEntry[] = [];
  #newerLength = 0;
  lastAt = 0;

  add(entry: LogEntry): void {
    this.lastAt = entry.at;
    // Only the file has room for such a message.
    if (entry.message.length > tailLength) return;
    this.#newer.push(entry);
    this.#newerLength += entry.message.length;
    if (this.#newer.length < tailLines && this.#newerLength < tailLength) return;
    this.#older = this.#newer;
    this.#newer = [];
    this.#newerLength = 0;
  }

  entries(): readonly LogEntry[] {
    return [...this.#older, ...this.#newer].slice(-tailLines);
  }
}

const format = (count: number): string => count.toLocaleString('en');
const describe = (lines: number, characters: number): string =>
  `${format(lines)} lines with ${format(characters)} characters`;

import type { LogLine } from '../definition.ts';
import { toRow } from './rows.ts';

interface LogFile {
  /** One JSON value a line. */
  readonly content: AsyncIterable<Uint8Array>;
  /** How many lines were read so far. */
  size(): number;
}

/** The lines of a log exporter as a file; undefined when there is none, so that no empty file is written. */
export async function toLogFile(lines: AsyncIterable<LogLine>): Promise<LogFile | undefined> {
  const iterator = lines[Symbol.asyncIterator]();
  const first: IteratorResult<LogLine> = await iterator.next();
  if (first.done) return undefined;
  let size = 0;
  const content = async function* () {
    for (let next: IteratorResult<LogLine> = first; !next.done; next = await iterator.next()) {
      size += 1;
      yield toRow(next.value);
    }
  };
  return { content: content(), size: () => size };
}

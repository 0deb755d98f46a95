import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { sendAttachment } from '../http/attachment.ts';

type Rows = Iterable<readonly unknown[]> | AsyncIterable<readonly unknown[]>;

interface CsvFile {
  readonly fileName: string;
  readonly columns: readonly string[];
  /** Begins with a byte order mark, by which Excel recognizes UTF-8. */
  readonly bom: boolean;
}

/** Streams a CSV table as the response, row by row; without rows it has its header line. */
export function sendCsv(reply: FastifyReply, { fileName, columns, bom }: CsvFile, rows: Rows): void {
  const header = `${bom ? '\ufeff' : ''}${columns.join(',')}\r\n`;
  sendAttachment(reply, fileName, Readable.from(linesOf(header, rows)), { type: 'text/csv; charset=utf-8' });
}

/** The header goes with the first row, so that a query that fails at once responds with its error. */
async function* linesOf(header: string, rows: Rows): AsyncGenerator<string> {
  let isFirst = true;
  for await (const row of rows) {
    if (isFirst) yield header;
    isFirst = false;
    yield `${row.map(toCell).join(',')}\r\n`;
  }
  if (isFirst) yield header;
}

/**
 * One cell. Spreadsheets run text that starts like a formula, so such text is escaped; numbers are not.
 */
export function toCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const isNumber = typeof value === 'number' || /^[+-]?\d+(\.\d+)?$/.test(text);
  const safe = !isNumber && /^[\s]*[=+\-@|%\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { sendAttachment } from '../http/attachment.ts';

type Rows = Iterable<readonly unknown[]> | AsyncIterable<readonly unknown[]>;

/** Streams a CSV table as the response, row by row; the body is empty without rows. */
export function sendCsv(reply: FastifyReply, fileName: string, columns: readonly string[], rows: Rows): void {
  sendAttachment(reply, fileName, Readable.from(linesOf(columns, rows)), { type: 'text/csv; charset=utf-8' });
}

async function* linesOf(columns: readonly string[], rows: Rows): AsyncGenerator<string> {
  let isFirst = true;
  for await (const row of rows) {
    if (isFirst) yield `${columns.join(',')}\r\n`;
    isFirst = false;
    yield `${row.map(toCell).join(',')}\r\n`;
  }
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

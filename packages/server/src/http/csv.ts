import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { sendAttachment } from './attachment.ts';

type Rows = Iterable<readonly unknown[]> | AsyncIterable<readonly unknown[]>;

/** Answers with a table, row by row while it is sent; nothing at all when there are no rows. */
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
 * One cell. A spreadsheet runs a text that begins like a formula, so such a text is marked as one; a number is a number.
 */
export function toCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const isNumber = typeof value === 'number' || /^[+-]?\d+(\.\d+)?$/.test(text);
  const safe = !isNumber && /^[\s]*[=+\-@|%\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

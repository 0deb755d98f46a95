import type { TaskContext } from '../definition.ts';
import { readItems } from './items.ts';

/** One row of a file of rows. JSON is also Ion text, and every reader accepts it. */
export const toRow = (value: unknown): Uint8Array => Buffer.from(`${JSON.stringify(value ?? null)}\n`);

/** The rows of a stored file: one value per line, as JSON or Ion text. Empty lines are skipped. */
export async function* readRows(
  context: Pick<TaskContext, 'files' | 'renderTyped'>,
  uri: string,
): AsyncIterable<{ readonly text: string; readonly value: unknown }> {
  for await (const text of readItems(await context.files.read(uri), '\n')) {
    if (text.trim() !== '') yield { text, value: await readRow(context, text) };
  }
}

async function readRow(context: Pick<TaskContext, 'renderTyped'>, text: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch {
    // The expression language reads Ion, so it reads the few rows that are not JSON.
    return context.renderTyped('{{ fromIon(row) }}', { row: text });
  }
}

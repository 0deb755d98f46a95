import { readItems } from '@millrace/plugin-kit';

/** The values of a response with one JSON value a line. */
export async function readLines(content: AsyncIterable<Uint8Array>): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const line of readItems(content, '\n')) if (line.trim() !== '') values.push(JSON.parse(line));
  return values;
}

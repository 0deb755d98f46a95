import { readCsvRecords } from '@millrace/plugin-kit';

/**
 * The rows of annotated CSV, the format of Flux results: lines that begin with `#` describe the columns of the table
 * that follows, an empty first column holds the annotations, and `result` and `table` number the tables.
 */
export async function* readAnnotatedCsv(
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Record<string, unknown>> {
  let types: readonly string[] = [];
  let defaults: readonly string[] = [];
  let header: readonly string[] | undefined;
  for await (const record of readCsvRecords(content)) {
    const [annotation = ''] = record;
    if (annotation.startsWith('#')) {
      if (annotation === '#datatype') types = record;
      if (annotation === '#default') defaults = record;
      header = undefined;
    } else if (header === undefined) header = record;
    else yield toRow(record, header, types, defaults);
  }
}

function toRow(
  record: readonly string[],
  header: readonly string[],
  types: readonly string[],
  defaults: readonly string[],
): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [at, name] of header.entries())
    if (at > 0 && name !== 'result' && name !== 'table')
      row[name] = toValue(record[at] || defaults[at] || '', types[at] ?? 'string');
  return row;
}

/** Times stay texts, because they have nanoseconds. */
function toValue(text: string, type: string): unknown {
  if (text === '') return type === 'string' ? '' : null;
  switch (type) {
    case 'boolean':
      return text === 'true';
    case 'long':
    case 'unsignedLong':
      return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text);
    case 'double':
      return Number(text.replace('Inf', 'Infinity'));
    default:
      return text;
  }
}

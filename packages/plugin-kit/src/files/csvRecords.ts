import { TaskFailed } from '../failure.ts';

/** The records of a CSV file (RFC 4180) as lists of fields, one at a time. */
export async function* readCsvRecords(content: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let record: string[] = [];
  let field = '';
  let isQuoted = false;
  let wasQuote = false;
  let hasContent = false;
  const endField = () => {
    record.push(field);
    field = '';
  };
  for await (const chunk of content)
    for (const character of decoder.decode(chunk, { stream: true })) {
      if (isQuoted) {
        // A quote ends the field unless another quote follows: two quotes are an escaped quote.
        if (wasQuote && character === '"') field += '"';
        if (wasQuote && character !== '"') isQuoted = false;
        wasQuote = character === '"' && !wasQuote;
        if (isQuoted) {
          if (character !== '"') field += character;
          continue;
        }
      }
      if (character === '"' && field === '') isQuoted = true;
      else if (character === ',') endField();
      else if (character === '\n') {
        endField();
        if (hasContent) yield record;
        record = [];
        hasContent = false;
        continue;
      } else if (character !== '\r') field += character;
      if (character !== '\r') hasContent = true;
    }
  if (isQuoted && !wasQuote)
    throw new TaskFailed('The CSV file ends inside a quoted field.', { retry: false });
  if (hasContent) {
    endField();
    yield record;
  }
}

/** A record as a line of CSV; fields are quoted only where the format requires it. */
export const toCsvLine = (fields: readonly unknown[]): string => `${fields.map(quote).join(',')}\n`;

function quote(value: unknown): string {
  const text = String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

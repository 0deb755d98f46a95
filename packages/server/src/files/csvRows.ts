type CsvRow = Readonly<Record<string, string>>;

/** Rows of a CSV text by the names of its first line. Quoted fields may hold commas, quotes and line breaks. */
export function readCsv(text: string): CsvRow[] {
  const [header, ...lines] = readLines(text);
  if (!header) return [];
  return lines.map((fields) =>
    Object.fromEntries(fields.map((field, index) => [header[index] ?? `column${index + 1}`, field])),
  );
}

function readLines(text: string): string[][] {
  const lines: string[][] = [];
  let fields: string[] = [];
  let position = 0;
  // A quoted field, or one up to the next comma or line break; then what ended it.
  const field = /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|\r|$)/y;
  while (position < text.length) {
    field.lastIndex = position;
    const match = field.exec(text);
    // An unclosed quote, or text after a closing quote: the rest is taken literally.
    const [whole, quoted, plain, end] = match ?? [text.slice(position), undefined, text.slice(position), ''];
    fields.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    position += whole.length;
    if (end === ',') {
      if (position === text.length) fields.push('');
      else continue;
    }
    if (fields.length > 1 || fields[0] !== '') lines.push(fields);
    fields = [];
  }
  if (fields.length > 0) lines.push(fields);
  return lines;
}

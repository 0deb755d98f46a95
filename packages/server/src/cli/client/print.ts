import type { Output } from '../command.ts';

/** Rows under headings, each column as wide as its widest cell. */
export function printTable(
  out: Output,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const cells = [headings, ...rows].map((row) => row.map(oneLine));
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  for (const row of cells) {
    out.write(
      `${row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    );
  }
}

export function printJson(out: Output, value: unknown): void {
  out.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Removes control characters and line breaks, so that text cannot move the cursor or break a table. */
export function oneLine(text: string): string {
  return printable(text).replace(/\s*\n\s*/g, ' ');
}

/** Text without control characters; lines stay lines. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  return text.replace(/\u001b\[[0-9;?]*[A-Za-z]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
}

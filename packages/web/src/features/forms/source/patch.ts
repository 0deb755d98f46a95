/** Text that takes the place of other text. */
export interface Patch {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** New lines end as the old ones do. */
export function applyPatch(source: string, { start, end, text }: Patch): string {
  const lines = source.includes('\r\n') ? text.replaceAll(/\r?\n/g, '\r\n') : text;
  return source.slice(0, start) + lines + source.slice(end);
}

/** Every line but the first moved to the column; empty lines stay empty. */
export const indentRest = (text: string, column: number): string =>
  text.replaceAll(/\n(?=[^\n])/g, `\n${' '.repeat(column)}`);

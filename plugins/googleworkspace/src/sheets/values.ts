import { type Google, isMap, type Json, segment, textAt } from '@millrace/plugin-gcp/google';
import { choice, flag } from '@millrace/plugin-kit';

export const sheetsUrl = 'https://sheets.googleapis.com/v4/spreadsheets';
export const spreadsheetUrl = (id: string): string => `${sheetsUrl}/${segment(id)}`;

export const renderProperties = {
  valueRender: choice(['FORMATTED_VALUE', 'UNFORMATTED_VALUE', 'FORMULA'])
    .default('UNFORMATTED_VALUE')
    .describe('What of a cell is read: its value, its value as shown, or its formula.'),
  dateTimeRender: choice(['SERIAL_NUMBER', 'FORMATTED_STRING'])
    .default('FORMATTED_STRING')
    .describe('How dates are read: as shown, or as days since 1899-12-30.'),
  header: flag().default(true).describe('The first row names the columns.'),
};

export interface RenderInput {
  readonly valueRender: string;
  readonly dateTimeRender: string;
  readonly header: boolean;
}

type Cells = readonly unknown[];

/** The rows of a range, as lists of cells. Empty cells at the end of a row are missing. */
export async function readCells(
  google: Google,
  spreadsheetId: string,
  range: string,
  input: RenderInput,
): Promise<readonly Cells[]> {
  const json = await google.get(`${spreadsheetUrl(spreadsheetId)}/values/${segment(range)}`, {
    valueRenderOption: input.valueRender,
    dateTimeRenderOption: input.dateTimeRender,
    majorDimension: 'ROWS',
  });
  return cellsOf(json);
}

export const cellsOf = (json: Json): readonly Cells[] =>
  Array.isArray(json.values) ? json.values.filter((each): each is Cells => Array.isArray(each)) : [];

/** Rows as maps by the header, or as lists of cells. */
export function toRows(cells: readonly Cells[], header: boolean): unknown[] {
  if (!header) return cells.map((row) => [...row]);
  const [names = [], ...rows] = cells;
  return rows.map((row) =>
    Object.fromEntries(names.map((name, index) => [String(name), row[index] ?? null])),
  );
}

/** A range without cells means the whole sheet. */
export const sheetRange = (title: string): string => `'${title.replaceAll("'", "''")}'`;

/** A value that a cell can hold; maps and lists are JSON. */
export function toCell(value: unknown): unknown {
  if (value === null || value === undefined) return '';
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (Array.isArray(value) || isMap(value)) return JSON.stringify(value);
  return value;
}

export const titleOf = (sheet: Json): string => {
  const properties = isMap(sheet.properties) ? sheet.properties : {};
  return textAt(properties, 'title') ?? '';
};

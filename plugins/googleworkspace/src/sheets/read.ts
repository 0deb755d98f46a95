import { count, counter, type Google, mapsAt } from '@millrace/plugin-gcp/google';
import { flag, listOf, type TaskContext, TaskFailed, text, writeTypedRows } from '@millrace/plugin-kit';
import { z } from 'zod';
import { defineWorkspaceTask, scope, workspaceExample } from '../workspace.ts';
import {
  type RenderInput,
  readCells,
  renderProperties,
  sheetRange,
  spreadsheetUrl,
  titleOf,
  toRows,
} from './values.ts';

const readProperties = {
  spreadsheetId: text().describe('The id of the spreadsheet, a part of its address.'),
  ...renderProperties,
  fetch: flag().default(false).describe('Return the rows as an output, instead of files.'),
  store: flag().default(true).describe('Write the rows to files; `fetch` wins.'),
};

const storeRows = async (context: TaskContext, name: string, rows: readonly unknown[]): Promise<string> =>
  context.files.put(
    `${name.replace(/[^\w.-]/g, '_') || 'rows'}.ion`,
    writeTypedRows(rows, context.signal).content,
  );

export const read = defineWorkspaceTask({
  type: 'googleworkspace.sheets.Read',
  title: 'Read a spreadsheet of Google Sheets',
  description:
    'Reads all sheets of a spreadsheet, or those that are named, into one file each, or into an output with `fetch: true`.',
  scopes: [scope('spreadsheets')],
  properties: {
    ...readProperties,
    selectedSheetsTitle: listOf(text()).optional().describe('Only the sheets with these titles.'),
  },
  output: () =>
    z.object({
      rows: z
        .record(z.string(), z.array(z.unknown()))
        .optional()
        .describe('The rows by the title of their sheet, with `fetch`.'),
      uris: z.record(z.string(), z.string()).optional().describe('The files by the title of their sheet.'),
      size: z.number().describe('How many rows were read.'),
    }),
  metrics: [counter('rows', 'How many rows were read.'), counter('sheets', 'How many sheets were read.')],
  examples: [
    workspaceExample(
      'googleworkspace.sheets.Read',
      'Read one sheet.',
      'spreadsheetId: 1Dkd3W0OQo-wxz1rrORLP7YGSj6EBLEg74fiTdbJUIQE\nselectedSheetsTitle:\n  - Orders',
    ),
  ],
  async run(google, input, context) {
    const titles = await titlesOf(google, input.spreadsheetId, input.selectedSheetsTitle);
    const rows: Record<string, unknown[]> = {};
    const uris: Record<string, string> = {};
    let size = 0;
    for (const title of titles) {
      const found = toRows(
        await readCells(google, input.spreadsheetId, sheetRange(title), input),
        input.header,
      );
      size += found.length;
      if (input.fetch) rows[title] = found;
      else if (input.store) uris[title] = await storeRows(context, title, found);
    }
    count(context, { rows: size, sheets: titles.length });
    return { size, ...(input.fetch ? { rows } : input.store ? { uris } : {}) };
  },
});

async function titlesOf(
  google: Google,
  id: string,
  wanted: readonly string[] | undefined,
): Promise<readonly string[]> {
  const json = await google.get(spreadsheetUrl(id), { fields: 'sheets.properties(title,sheetType)' });
  const titles = mapsAt(json, 'sheets').map(titleOf);
  const missing = wanted?.filter((title) => !titles.includes(title)) ?? [];
  if (missing.length > 0)
    throw new TaskFailed(
      `The spreadsheet has no sheet "${missing.join('", "')}"; it has "${titles.join('", "')}".`,
      { retry: false },
    );
  return wanted ?? titles;
}

export const readRange = defineWorkspaceTask({
  type: 'googleworkspace.sheets.ReadRange',
  title: 'Read a range of Google Sheets',
  description: 'Reads the cells of a range into a file, or into an output with `fetch: true`.',
  scopes: [scope('spreadsheets')],
  properties: {
    ...readProperties,
    range: text().optional().describe('The range, such as `Orders!A1:D20` or `Orders`.'),
  },
  output: () =>
    z.object({
      rows: z.array(z.unknown()).optional().describe('The rows, with `fetch`.'),
      uri: z.string().optional().describe('The file.'),
      size: z.number().describe('How many rows were read.'),
    }),
  metrics: [counter('rows', 'How many rows were read.')],
  examples: [
    workspaceExample(
      'googleworkspace.sheets.ReadRange',
      'Read some columns.',
      'spreadsheetId: 1Dkd3W0OQo-wxz1rrORLP7YGSj6EBLEg74fiTdbJUIQE\nrange: Orders!A1:C\nfetch: true',
    ),
  ],
  async run(google, input, context) {
    if (!input.range)
      throw new TaskFailed('"range" must be given, such as "Orders!A1:D20".', { retry: false });
    const options: RenderInput = input;
    const rows = toRows(await readCells(google, input.spreadsheetId, input.range, options), input.header);
    count(context, { rows: rows.length });
    const kept = input.fetch ? { rows } : input.store ? { uri: await storeRows(context, 'rows', rows) } : {};
    return { size: rows.length, ...kept };
  },
});

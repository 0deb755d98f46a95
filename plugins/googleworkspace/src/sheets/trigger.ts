import { createHash } from 'node:crypto';
import {
  dropMissing,
  type Google,
  GoogleRefused,
  type Json,
  mapAt,
  mapsAt,
  segment,
  textAt,
} from '@millrace/plugin-gcp/google';
import { flag, openTriggerState, text, triggerStateProperties } from '@millrace/plugin-kit';
import { z } from 'zod';
import { driveUrl } from '../drive/files.ts';
import { defineWorkspaceTrigger, scope, workspaceTriggerExample } from '../workspace.ts';
import { readCells, sheetRange } from './values.ts';

const optional = () => z.string().optional();

export const sheetModifiedTrigger = defineWorkspaceTrigger({
  type: 'googleworkspace.sheets.SheetModifiedTrigger',
  title: 'Start when a spreadsheet of Google Sheets changes',
  description: `Polls a spreadsheet every \`interval\` and starts an execution when it has changed. With \`sheetName\` or \`range\` only changes of these cells count. The first
poll takes the spreadsheet as new: \`on: UPDATE\` waits for the first change.`,
  scopes: [scope('spreadsheets.readonly'), scope('drive.metadata.readonly')],
  interval: 'PT5M',
  properties: {
    spreadsheetId: text().describe('The id of the spreadsheet, a part of its address.'),
    sheetName: text().optional().describe('Only this sheet.'),
    range: text().optional().describe('Only these cells, such as `A1:D20`.'),
    includeDetails: flag().default(false).describe('Say how many rows and columns the cells have.'),
    ...triggerStateProperties,
  },
  output: () =>
    z.object({
      modifications: z
        .array(
          z.object({
            revisionId: optional().describe('The id of the last revision.'),
            modifiedTime: optional().describe('When it changed.'),
            spreadsheetTitle: optional().describe('The title.'),
            spreadsheetId: z.string().describe('The id.'),
            lastModifyingUser: optional().describe('Who changed it.'),
            sheetName: optional().describe('The sheet.'),
            changeDetails: z
              .object({
                affectedRange: z.string().describe('The cells.'),
                rowCount: z.number().describe('How many rows they have.'),
                columnCount: z.number().describe('How many columns they have.'),
                hasData: z.boolean().describe('Whether there is any value.'),
              })
              .optional()
              .describe('The cells, with `includeDetails`.'),
          }),
        )
        .describe('The changes.'),
      count: z.number().describe('How many changes there are.'),
    }),
  examples: [
    workspaceTriggerExample(
      'googleworkspace.sheets.SheetModifiedTrigger',
      'Handle changes of a sheet.',
      'spreadsheetId: 1Dkd3W0OQo-wxz1rrORLP7YGSj6EBLEg74fiTdbJUIQE\nsheetName: Orders\ninterval: PT5M\non: UPDATE',
      '{{ trigger.modifications }}',
    ),
  ],
  async poll(google, input, context) {
    const { spreadsheetId, sheetName, range, on, stateKey, stateTtl } = input;
    const file = await google.get(`${driveUrl}/${segment(spreadsheetId)}`, {
      fields: 'id,name,version,modifiedTime,lastModifyingUser(displayName,emailAddress)',
      supportsAllDrives: true,
    });
    const cells = [sheetName && sheetRange(sheetName), range].filter((each) => each).join('!');
    const isPart = cells !== '';
    const values =
      isPart || input.includeDetails
        ? await readValues(google, spreadsheetId, isPart ? cells : undefined)
        : undefined;
    const state = await openTriggerState(context, { on, stateKey, stateTtl });
    const modifiedTime = textAt(file, 'modifiedTime');
    // Views and comments also change the version of a file, so the date is compared instead.
    const version = isPart
      ? createHash('sha256').update(JSON.stringify(values)).digest('hex')
      : (modifiedTime ?? '');
    const candidate = {
      uri: `${spreadsheetId}/${cells}`,
      version,
      modifiedAt: modifiedTime ? new Date(modifiedTime) : undefined,
    };
    const isChanged = state.changes([candidate]).length > 0;
    await state.save();
    if (!isChanged) return undefined;
    const user = mapAt(file, 'lastModifyingUser');
    const modification = dropMissing({
      revisionId: await lastRevision(google, spreadsheetId),
      modifiedTime,
      spreadsheetTitle: textAt(file, 'name'),
      spreadsheetId,
      lastModifyingUser: textAt(user, 'emailAddress') ?? textAt(user, 'displayName'),
      sheetName,
      changeDetails: input.includeDetails && values ? detailsOf(cells || 'A:ZZ', values) : undefined,
    });
    return { modifications: [modification], count: 1 };
  },
});

const asShown = { valueRender: 'UNFORMATTED_VALUE', dateTimeRender: 'SERIAL_NUMBER', header: false };

const readValues = (google: Google, spreadsheetId: string, range: string | undefined) =>
  readCells(google, spreadsheetId, range ?? 'A:ZZ', asShown);

const detailsOf = (affectedRange: string, values: readonly (readonly unknown[])[]) => ({
  affectedRange,
  rowCount: values.length,
  columnCount: values.reduce((most, row) => Math.max(most, row.length), 0),
  hasData: values.some((row) => row.some((cell) => cell !== '' && cell !== null)),
});

/** Only users with edit permission see the revisions of a file. */
async function lastRevision(google: Google, fileId: string): Promise<string | undefined> {
  try {
    let last: Json | undefined;
    const query = { fields: 'nextPageToken,revisions(id)', pageSize: 1000 };
    for await (const page of google.pages({ url: `${driveUrl}/${segment(fileId)}/revisions`, query }))
      last = mapsAt(page, 'revisions').at(-1) ?? last;
    return last && textAt(last, 'id');
  } catch (error) {
    if (error instanceof GoogleRefused && error.status < 500) return undefined;
    throw error;
  }
}

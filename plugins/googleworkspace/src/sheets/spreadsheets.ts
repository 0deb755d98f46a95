import { segment, textAt } from '@millrace/plugin-gcp/google';
import { text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { driveUrl } from '../drive/files.ts';
import { defineWorkspaceTask, scope, workspaceExample } from '../workspace.ts';
import { sheetsUrl } from './values.ts';

export const createSpreadsheet = defineWorkspaceTask({
  type: 'googleworkspace.sheets.CreateSpreadsheet',
  title: 'Create a spreadsheet in Google Sheets',
  description: 'Creates an empty spreadsheet that belongs to the service account; share it to see it.',
  scopes: [scope('spreadsheets')],
  properties: { title: text().describe('The title.') },
  output: () =>
    z.object({
      spreadsheetId: z.string().describe('The id.'),
      spreadsheetUrl: z.string().describe('The address for people.'),
    }),
  examples: [
    workspaceExample(
      'googleworkspace.sheets.CreateSpreadsheet',
      'Create a spreadsheet.',
      'title: Orders of 2026',
    ),
  ],
  async run(google, { title }) {
    const json = await google.post(sheetsUrl, { properties: { title } });
    return {
      spreadsheetId: textAt(json, 'spreadsheetId') ?? '',
      spreadsheetUrl: textAt(json, 'spreadsheetUrl') ?? '',
    };
  },
});

export const deleteSpreadsheet = defineWorkspaceTask({
  type: 'googleworkspace.sheets.DeleteSpreadsheet',
  title: 'Delete a spreadsheet of Google Sheets',
  description: 'Deletes a spreadsheet permanently. Google Drive deletes it, so the scopes include Drive.',
  scopes: [scope('spreadsheets'), scope('drive')],
  properties: { spreadsheetId: text().describe('The id of the spreadsheet.') },
  output: () => z.object({ spreadsheetId: z.string().describe('The id of the spreadsheet.') }),
  examples: [
    workspaceExample(
      'googleworkspace.sheets.DeleteSpreadsheet',
      'Delete a spreadsheet.',
      'spreadsheetId: 1Dkd3W0OQo-wxz1rrORLP7YGSj6EBLEg74fiTdbJUIQE',
    ),
  ],
  async run(google, { spreadsheetId }) {
    await google.json({
      url: `${driveUrl}/${segment(spreadsheetId)}`,
      method: 'DELETE',
      query: { supportsAllDrives: true },
    });
    return { spreadsheetId };
  },
});

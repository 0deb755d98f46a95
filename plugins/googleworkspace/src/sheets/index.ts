import type { Definition } from '@millrace/plugin-kit';
import { load } from './load.ts';
import { read, readRange } from './read.ts';
import { createSpreadsheet, deleteSpreadsheet } from './spreadsheets.ts';
import { sheetModifiedTrigger } from './trigger.ts';

export const sheetsTypes: readonly Definition[] = [
  read,
  readRange,
  load,
  createSpreadsheet,
  deleteSpreadsheet,
  sheetModifiedTrigger,
];

import type { TaskDefinition } from '@millrace/plugin-kit';
import { defineTarget } from './define.ts';
import { preset } from './properties.ts';

export const fileTargets: readonly TaskDefinition[] = [
  defineTarget({
    name: 'Csv',
    of: 'CSV files',
    command: 'target-csv',
    packages: ['target-csv'],
    properties: () => ({
      delimiter: preset.text(',', 'The character between the values of a row.'),
      quoteCharacters: preset.text('"', 'The character around values that contain the delimiter.'),
    }),
    settings: ({ quoteCharacters }) => ({ quotechar: quoteCharacters, quote_characters: undefined }),
    writesFiles: true,
    example: {},
  }),
  defineTarget({
    name: 'Json',
    of: 'JSON files',
    command: 'target-jsonl',
    packages: ['target-jsonl'],
    properties: () => ({}),
    writesFiles: true,
    example: {},
  }),
];

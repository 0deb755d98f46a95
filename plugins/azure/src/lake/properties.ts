import { integer, text } from '@millrace/plugin-kit';
import { storageProperties } from '../client/storage.ts';

const { endpoint: _, ...credentials } = storageProperties;

export const lakeProperties = {
  endpoint: text()
    .optional()
    .describe(
      'The address, such as `https://account.dfs.core.windows.net`; that of `connectionString` when absent.',
    ),
  ...credentials,
  fileSystem: text().describe('The file system (container).'),
};

export const fileProperties = { ...lakeProperties, filePath: text().describe('The path of the file.') };

export const directoryPath = text().describe(
  'The directory; `/` is the root. Files of its subdirectories are not included.',
);

export const maxFiles = integer({ min: 1 })
  .default(25)
  .describe('The maximum number of files; the others are left for the next time.');

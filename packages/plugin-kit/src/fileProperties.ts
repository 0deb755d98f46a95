import { z } from 'zod';
import { choice, flag, listOf, mapOf, part, storageUri, text } from './dynamic.ts';

/** Properties shared by every task that works in a folder. */
export const inputFiles = () =>
  z
    .union([mapOf(z.union([text(), z.null()])), storageUri()])
    .describe(
      'Files to write before the task runs: a map from relative path to text or to a URI of internal storage, or the URI of a file with such a map as JSON.',
    );

export const outputFiles = () =>
  listOf(text()).describe(
    'Files to keep in internal storage after the task has run, as globs inside the folder.',
  );

const switches = (enabled: boolean) => ({ enabled });

export const namespaceFiles = () =>
  z
    .preprocess(
      (value) =>
        typeof value === 'boolean'
          ? switches(value)
          : value === 'true' || value === 'false'
            ? switches(value === 'true')
            : value,
      part({
        enabled: flag().default(true).describe('Copy the files of the namespace into the folder.'),
        include: listOf(text()).optional().describe('Only files that match one of these globs.'),
        exclude: listOf(text()).optional().describe('No file that matches one of these globs.'),
        namespaces: listOf(text())
          .optional()
          .describe('Whose files; of the flow when absent. Later ones overwrite.'),
        ifExists: choice(['OVERWRITE', 'FAIL', 'WARN', 'IGNORE'])
          .default('OVERWRITE')
          .describe('What to do with a file that is there already.'),
        folderPerNamespace: flag()
          .default(false)
          .describe('Put the files of each namespace into a separate folder.'),
      }),
    )
    .describe('The files of the namespace that the task can see.');

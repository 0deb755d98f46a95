import type { Issue } from '@millrace/contract';
import {
  choice,
  defineTrigger,
  duration,
  fixed,
  type Properties,
  part,
  TaskFailed,
  text,
  triggerStateProperties,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { triggerExample } from '../client/example.ts';
import { pollFiles } from '../client/pollFiles.ts';
import { Storage } from '../client/storage.ts';
import { deleteFile, downloadFile, lakeFile, listFiles, moveFile, onlyFiles, pathOf } from './files.ts';
import { directoryPath, lakeProperties, maxFiles } from './properties.ts';

function check({ fileSystem, action, moveTo }: Properties): readonly Issue[] {
  const issues: Issue[] = [];
  if (fileSystem === undefined)
    issues.push({ severity: 'error', path: 'fileSystem', message: 'must be given' });
  if (action === 'MOVE' && moveTo === undefined)
    issues.push({ severity: 'error', path: 'moveTo', message: 'must be given when "action" is MOVE' });
  return issues;
}

export const lakeTrigger = defineTrigger({
  type: 'azure.storage.adls.Trigger',
  role: 'polling',
  title: 'Start when files arrive in Data Lake Storage',
  description: `Lists a directory every \`interval\`, stores the files it finds, at most \`maxFiles\`, and starts one execution for all of them. With the action
\`MOVE\` or \`DELETE\` every file counts, and it is moved or deleted after the execution is stored: nothing is lost when the server crashes in
between. With \`NONE\` the trigger remembers the files that it has seen, and \`on\` says whether new or changed ones start an execution.`,
  check,
  input: () =>
    z.object({
      ...lakeProperties,
      fileSystem: lakeProperties.fileSystem.optional(),
      interval: fixed(duration()).prefault('PT1M').describe('The pause between two polls.'),
      directoryPath: directoryPath.optional(),
      action: choice(['MOVE', 'DELETE', 'NONE'])
        .default('NONE')
        .describe('What happens to the files after they are stored.'),
      moveTo: part({
        fileSystem: text().describe('The file system.'),
        directoryPath: text().describe('The directory; it is created when it does not exist.'),
      })
        .optional()
        .describe('Where `MOVE` puts the files.'),
      maxFiles,
      ...triggerStateProperties,
    }),
  output: () =>
    z.object({
      files: z
        .array(
          z.object({
            ...lakeFile.shape,
            file: lakeFile.describe('The same fields, under the name that flows for Kestra use.'),
            changeType: z.enum(['CREATE', 'UPDATE']).describe('Whether the file is new or has changed.'),
          }),
        )
        .describe('The files that were stored.'),
    }),
  examples: [
    triggerExample(
      'azure.storage.adls.Trigger',
      'Process every file that arrives, and delete it.',
      ['fileSystem: raw', 'directoryPath: inbox', 'interval: PT30S', 'action: DELETE'],
      "trigger.files | jq('.[].name')",
    ),
  ],
  poll: (
    context,
    { interval: _, fileSystem, maxFiles: limit, action, moveTo, on, stateKey, stateTtl, ...input },
  ) => {
    if (fileSystem === undefined) throw new TaskFailed('"fileSystem" must be given.', { retry: false });
    const storage = new Storage(context, input, 'dfs');
    return pollFiles(context, onlyFiles(listFiles(storage, fileSystem, input.directoryPath ?? '')), {
      limit,
      state: action === 'NONE' ? { on, stateKey, stateTtl } : undefined,
      field: 'files',
      addressOf: ({ uri }) => uri,
      versionOf: ({ eTag, size }) => eTag ?? String(size),
      modifiedAt: ({ lastModified }) => (lastModified === undefined ? undefined : new Date(lastModified)),
      store: async (entry, changeType) => {
        const file = await downloadFile(storage, pathOf(entry));
        return { ...file, file, changeType };
      },
      dispose: async (entry) => {
        if (action === 'MOVE' && moveTo) await moveFile(storage, pathOf(entry), moveTo);
        else await deleteFile(storage, pathOf(entry));
      },
    });
  },
});

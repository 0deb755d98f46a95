import { defineTrigger, duration, fixed, triggerStateProperties } from '@millrace/plugin-kit';
import { z } from 'zod';
import { triggerExample } from '../client/example.ts';
import { pollFiles } from '../client/pollFiles.ts';
import { Storage, storageProperties } from '../client/storage.ts';
import { addressOf, blobOutput, disposeOf, downloadBlob, filesOf, listBlobs, placeOf } from './blobs.ts';
import {
  actionProperty,
  containerProperty,
  listProperties,
  maxFiles,
  moveIssue,
  moveToProperty,
} from './properties.ts';

export const blobTrigger = defineTrigger({
  type: 'azure.storage.blob.Trigger',
  role: 'polling',
  title: 'Start when blobs arrive in a container',
  description: `Lists a container every \`interval\`, stores the blobs it finds, at most \`maxFiles\`, and starts one execution for all of them. With the action
\`MOVE\` or \`DELETE\` every blob counts, and it is moved or deleted after the execution is stored: nothing is lost when the server crashes in
between. With \`NONE\` the trigger remembers the blobs that it has seen, and \`on\` says whether new or changed ones start an execution.`,
  check: moveIssue,
  input: () =>
    z.object({
      ...storageProperties,
      interval: fixed(duration()).prefault('PT1M').describe('The pause between two polls.'),
      container: containerProperty(),
      ...listProperties,
      action: actionProperty(),
      moveTo: moveToProperty(),
      maxFiles,
      ...triggerStateProperties,
    }),
  output: () =>
    z.object({
      blobs: z
        .array(
          z.object({
            ...blobOutput.shape,
            blob: blobOutput.describe('The same fields, under the name that flows for Kestra use.'),
            changeType: z.enum(['CREATE', 'UPDATE']).describe('Whether the blob is new or has changed.'),
          }),
        )
        .describe('The blobs that were stored.'),
    }),
  examples: [
    triggerExample(
      'azure.storage.blob.Trigger',
      'Process every file that arrives, and delete it.',
      ['container: inbox', 'interval: PT30S', 'action: DELETE'],
      "trigger.blobs | jq('.[].name')",
    ),
  ],
  poll: (context, { interval: __, maxFiles: limit, action, moveTo, on, stateKey, stateTtl, ...input }) => {
    const storage = new Storage(context, input, 'blob');
    return pollFiles(context, filesOf(listBlobs(storage, input)), {
      limit,
      state: action === 'NONE' ? { on, stateKey, stateTtl } : undefined,
      field: 'blobs',
      addressOf,
      versionOf: ({ eTag, size }) => eTag ?? String(size),
      modifiedAt: ({ lastModified }) => lastModified,
      store: async (entry, changeType) => {
        const blob = await downloadBlob(storage, placeOf(entry));
        return { ...blob, blob, changeType };
      },
      dispose: (entry) => disposeOf(storage, placeOf(entry), action, moveTo),
    });
  },
});

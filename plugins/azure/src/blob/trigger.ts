import {
  collect,
  defineTrigger,
  duration,
  fixed,
  openTriggerState,
  type TriggerContext,
  triggerStateProperties,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { triggerExample } from '../client/example.ts';
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
\`MOVE\` or \`DELETE\` every blob counts, and it is moved or deleted after the execution is stored: nothing is lost when the server dies in
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

interface Polling<F> {
  readonly limit: number;
  /** Absent when files are moved or deleted, and therefore all count. */
  readonly state: Parameters<typeof openTriggerState>[1] | undefined;
  readonly field: string;
  readonly addressOf: (file: F) => string;
  readonly versionOf: (file: F) => string;
  readonly modifiedAt: (file: F) => Date | undefined;
  readonly store: (file: F, changeType: 'CREATE' | 'UPDATE') => Promise<unknown>;
  readonly dispose: (file: F) => Promise<void>;
}

/** One poll of a trigger for files: they are touched only after their execution is stored. */
async function pollFiles<F>(context: TriggerContext, found: AsyncIterable<F>, polling: Polling<F>) {
  const { limit, field } = polling;
  const toCandidate = (file: F) => ({
    uri: polling.addressOf(file),
    version: polling.versionOf(file),
    modifiedAt: polling.modifiedAt(file),
    file,
  });
  const state = polling.state && (await openTriggerState(context, polling.state));
  const changes = state
    ? state.changes((await collect(found)).map(toCandidate), limit)
    : (await collect(found, limit)).map((file) => ({
        candidate: toCandidate(file),
        changeType: 'CREATE' as const,
      }));
  const stored: unknown[] = [];
  for (const { candidate, changeType } of changes)
    stored.push(await polling.store(candidate.file, changeType));
  await state?.save();
  if (stored.length === 0) return undefined;
  if (state) return { [field]: stored };
  // Files that are found again because they could not be moved start nothing.
  const key = changes.map(({ candidate: { uri, version } }) => `${uri} ${version}`).join('\n');
  await context.emit({ [field]: stored }, { key });
  for (const { candidate } of changes) await polling.dispose(candidate.file);
  return undefined;
}

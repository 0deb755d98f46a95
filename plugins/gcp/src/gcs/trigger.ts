import { openTriggerState, triggerStateProperties } from '@millrace/plugin-kit';
import { z } from 'zod';
import { defineGcpTrigger, triggerExample } from '../google/define.ts';
import { actionIssue, actionProperties, disposeOf } from './action.ts';
import { blobOutput, listProperties, maxFilesProperty, takeObjects } from './objects.ts';
import { downloadObject } from './transfer.ts';

export const trigger = defineGcpTrigger({
  type: 'gcp.gcs.Trigger',
  title: 'Start when files arrive in Cloud Storage',
  description: `Lists a prefix every \`interval\`, downloads the objects, and starts one execution for all of them. With the action \`MOVE\` or \`DELETE\` every
object counts, because it is gone afterwards. With \`NONE\` the trigger remembers the objects that it has seen by generation and metageneration: \`on\` says
whether new or changed objects start an execution.`,
  check: actionIssue,
  properties: {
    ...listProperties,
    ...actionProperties,
    ...triggerStateProperties,
    maxFiles: maxFilesProperty(),
  },
  output: () =>
    z.object({
      blobs: z
        .array(
          z.object({
            ...blobOutput.shape,
            blob: blobOutput.describe('The same fields, under the name that newer flows for Kestra use.'),
            changeType: z.enum(['CREATE', 'UPDATE']).describe('Whether the object is new or has changed.'),
          }),
        )
        .describe('The downloaded objects.'),
    }),
  examples: [
    triggerExample(
      'gcp.gcs.Trigger',
      'Process every file that arrives, and move it away.',
      'from: gs://my-bucket/inbox/\ninterval: PT30S\naction: MOVE\nmoveDirectory: gs://my-bucket/archive/',
      "{{ trigger.blobs | jq('.[].uri') }}",
    ),
  ],
  async poll({ google }, input, context) {
    const { action, maxFiles, on, stateKey, stateTtl } = input;
    const listing = { ...input, filter: 'FILES' as const };
    const state = action === 'NONE' ? await openTriggerState(context, { on, stateKey, stateTtl }) : undefined;
    const found = [];
    // With a state all objects are listed, because objects seen before must not use up the limit.
    const entries = await takeObjects(google, listing, state ? Number.POSITIVE_INFINITY : maxFiles);
    for (const entry of entries)
      if (!entry.blob.name.endsWith('/'))
        found.push({
          uri: entry.blob.uri,
          version: entry.version,
          modifiedAt: entry.blob.updateTime === undefined ? undefined : new Date(entry.blob.updateTime),
          entry,
        });
    const changes = state
      ? state.changes(found, maxFiles)
      : found.map((candidate) => ({ candidate, changeType: 'CREATE' as const }));
    const blobs = [];
    for (const { candidate, changeType } of changes) {
      const { entry } = candidate;
      const blob = { ...entry.blob, uri: await downloadObject(google, context, entry, false) };
      blobs.push({ ...blob, blob, changeType });
    }
    // All objects are stored before the first one is removed: a poll that fails loses none.
    for (const { candidate } of changes) await disposeOf(google, candidate.entry.blob, input);
    await state?.save();
    return blobs.length === 0 ? undefined : { blobs };
  },
});

import type { S3Entry } from '@millrace/plugin-aws/compatible';
import { openTriggerState } from '@millrace/plugin-kit';
import { out, preset } from '@millrace/plugin-saas/rest';
import { connectionExample, type Types } from '../client/connection.ts';
import { huaweiPoll } from '../client/define.ts';
import { obsProperties, openObs } from './client.ts';
import { bucket, checkMove, disposeAll, filesOf, listProperties, moveTo, storeObjects } from './objects.ts';

const { projectId: _, ...keys } = connectionExample;

const trigger = huaweiPoll({
  type: 'huawei.obs.Trigger',
  aliases: ['huawei.obs.tasks.Trigger'],
  title: 'Start when objects arrive in an OBS bucket',
  description: `Lists a bucket every \`interval\`, stores the objects it finds and starts one execution for all of them. With \`DELETE\` and \`MOVE\` every object counts,
and it is deleted or moved after the execution is stored: nothing is lost when the server crashes in between. With \`NONE\` the trigger remembers the objects that it has
seen, and new and changed ones start an execution.`,
  properties: {
    ...obsProperties,
    bucket,
    ...listProperties,
    action: preset.choice(
      ['NONE', 'DELETE', 'MOVE'],
      'DELETE',
      'What happens to the objects after they are stored.',
    ),
    moveTo,
  },
  output: {
    objects: out.maps('The objects that were stored.'),
    outputFiles: out.map('The stored files by key.'),
  },
  poll: async (context, input) => {
    checkMove(input);
    const obs = openObs(context, input);
    const found = (await filesOf(obs, input)).map((entry) => toCandidate(input.bucket, entry));
    const state =
      input.action === 'NONE' ? await openTriggerState(context, { on: 'CREATE_OR_UPDATE' }) : undefined;
    const chosen = state ? state.changes(found).map(({ candidate }) => candidate) : found;
    const entries = chosen.map(({ entry }) => entry);
    const stored = await storeObjects(obs, input.bucket, entries);
    await state?.save();
    if (entries.length === 0) return undefined;
    if (state) return stored;
    // Objects that are found again because they could not be moved start nothing.
    await context.emit(stored, { key: chosen.map(({ uri, version }) => `${uri} ${version}`).join('\n') });
    await disposeAll(obs, input.bucket, entries, input);
    return undefined;
  },
  example: {
    bucket: 'my-bucket',
    prefix: 'inbox/',
    action: 'MOVE',
    moveTo: { keyPrefix: 'done' },
    interval: 'PT30S',
    ...keys,
  },
});

const toCandidate = (bucketName: string, entry: S3Entry) => ({
  uri: `obs://${bucketName}/${entry.key}`,
  version: entry.etag ?? `${entry.lastModified?.getTime()}_${entry.size}`,
  modifiedAt: entry.lastModified,
  entry,
});

export const obsTrigger: Types = [trigger];

import { setTimeout as delay } from 'node:timers/promises';
import {
  defineTask,
  duration,
  flag,
  isMap,
  type JsonMap,
  mapIn,
  type TaskContext,
  TaskFailed,
  text,
  textOf,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { askService } from '../base/readResponse.ts';
import { oneTask } from '../base/serviceTasks.ts';

const segment = {
  token: text().describe('The token of the Public API. Keep it in a secret.'),
  uri: text().default('https://api.segmentapis.com').describe('The address of the Public API.'),
};

const count = z.string().optional();
const status = z.object({
  syncId: z.string().optional().describe('The sync.'),
  syncStatus: z.string().optional().describe('How far it has come.'),
  sourceId: z.string().optional().describe('The source.'),
  modelId: z.string().optional().describe('The model.'),
  duration: z.string().optional().describe('How long it took.'),
  startedAt: z.string().optional().describe('When it began.'),
  finishedAt: z.string().optional().describe('When it ended.'),
  extractPhase: z
    .object({
      addedCount: count.describe('Rows that are new.'),
      updatedCount: count.describe('Rows that changed.'),
      deletedCount: count.describe('Rows that are gone.'),
      extractCount: count.describe('Rows that were read.'),
    })
    .optional()
    .describe('What was read.'),
  loadPhase: z
    .object({
      deliverSuccessCount: count.describe('Rows that were delivered.'),
      deliverFailureCount: count.describe('Rows that were not delivered.'),
    })
    .optional()
    .describe('What was delivered.'),
  error: z.string().optional().describe('Why it failed.'),
  errorCode: z.string().optional().describe('The code of the failure.'),
});
type Status = z.infer<typeof status>;

interface Connection {
  readonly token: string;
  readonly uri: string;
}

async function ask(
  context: TaskContext,
  { token, uri }: Connection,
  path: string,
  body?: JsonMap,
): Promise<JsonMap> {
  const answer = await askService(context, {
    service: 'Segment',
    url: `${uri.replace(/\/+$/, '')}${path}`,
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, accept: 'application/vnd.segment.v1+json' },
    ...(body && { body }),
    secrets: [token],
  });
  // The data is wrapped in the name of its kind, which differs from call to call.
  const data = mapIn(answer.data);
  return Object.values(data).find(isMap) ?? data;
}

const readStatus = async (
  context: TaskContext,
  connection: Connection,
  of: { modelId: string; syncId: string },
) =>
  toStatus(
    await ask(
      context,
      connection,
      `/reverse-etl-models/${encodeURIComponent(of.modelId)}/syncs/${encodeURIComponent(of.syncId)}`,
    ),
  );

function toStatus(data: JsonMap): Status {
  const texts = (map: JsonMap) =>
    Object.fromEntries(
      Object.entries(map).flatMap(([name, value]) => {
        const words = textOf(value);
        return words === undefined ? [] : [[name, words]];
      }),
    );
  const extract = mapIn(data.extractPhase);
  const load = mapIn(data.loadPhase);
  return status.parse({
    ...texts(data),
    ...(isMap(data.extractPhase) && { extractPhase: texts(extract) }),
    ...(isMap(data.loadPhase) && { loadPhase: texts(load) }),
  });
}

const hasFailed = ({ syncStatus = '' }: Status): boolean => /FAIL|ERROR|CANCEL|ABORT/i.test(syncStatus);
const hasEnded = (state: Status): boolean =>
  hasFailed(state) ||
  /SUCCESS|SUCCEEDED|COMPLETED|FINISHED/i.test(state.syncStatus ?? '') ||
  Boolean(state.finishedAt);

const modelId = () => text().describe('The id of the model.');

export const segmentStatus = defineTask({
  type: 'twilio.segment.reverseetl.Status',
  aliases: ['segment.reverseetl.Status'],
  title: 'Read the status of a reverse ETL sync of Segment',
  description: 'Reads how far a sync has come and how many rows it read and delivered.',
  input: () => z.object({ ...segment, modelId: modelId(), syncId: text().describe('The id of the sync.') }),
  output: () => z.object({ status: status.describe('The status.') }),
  sideEffects: true,
  examples: [
    oneTask(
      'twilio.segment.reverseetl.Status',
      `token: "{{ secret('SEGMENT_TOKEN') }}"
modelId: model1
syncId: sync1`,
      'Read the status.',
      'segment_status',
    ),
  ],
  run: async (context, { token, uri, ...of }) => ({ status: await readStatus(context, { token, uri }, of) }),
});

export const segmentSync = defineTask({
  type: 'twilio.segment.reverseetl.Sync',
  aliases: ['segment.reverseetl.Sync'],
  title: 'Start a reverse ETL sync of Segment',
  description: 'Starts a sync, and with `wait` waits for its end.',
  input: () =>
    z.object({
      ...segment,
      sourceId: text().describe('The id of the source.'),
      modelId: modelId(),
      subscriptionId: text().describe('The id of the subscription.'),
      wait: flag().default(false).describe('Wait until the sync has ended.'),
      maxDuration: duration().prefault('PT1H').describe('How long to wait.'),
      pollInterval: duration().prefault('PT5S').describe('The pause between two looks at the status.'),
      errorOnFailing: flag().default(false).describe('Fail the task when the sync fails.'),
    }),
  output: () =>
    z.object({
      syncId: z.string().describe('The sync.'),
      created: z
        .object({
          syncId: z.string().describe('The sync.'),
          startedAt: z.string().optional().describe('When it began.'),
        })
        .describe('What was started.'),
      status: status.optional().describe('The status at the end, with `wait`.'),
    }),
  sideEffects: true,
  examples: [
    oneTask(
      'twilio.segment.reverseetl.Sync',
      `token: "{{ secret('SEGMENT_TOKEN') }}"
sourceId: source1
modelId: model1
subscriptionId: subscription1
wait: true
errorOnFailing: true`,
      'Start a sync and wait for its end.',
      'segment_sync',
    ),
  ],
  run: async (context, { token, uri, wait, maxDuration, pollInterval, errorOnFailing, ...of }) => {
    const connection = { token, uri };
    const started = await ask(context, connection, '/reverse-etl-syncs', of);
    const syncId = textOf(started.syncId) ?? '';
    const startedAt = textOf(started.startedAt);
    const created = { syncId, ...(startedAt !== undefined && { startedAt }) };
    if (!wait) return { syncId, created };
    for (const deadline = Date.now() + maxDuration; ; ) {
      const state = await readStatus(context, connection, { modelId: of.modelId, syncId });
      if (hasEnded(state)) {
        if (hasFailed(state) && errorOnFailing)
          throw new TaskFailed(
            `Sync "${syncId}" ended in ${state.syncStatus}: ${state.error ?? 'no reason given'}`,
          );
        return { syncId, created, status: state };
      }
      if (Date.now() >= deadline)
        throw new TaskFailed(
          `Sync "${syncId}" did not end within ${maxDuration / 1000} s (\`maxDuration\`).`,
        );
      await delay(pollInterval, undefined, { signal: context.signal });
    }
  },
});

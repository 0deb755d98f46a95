import { setTimeout as delay } from 'node:timers/promises';
import {
  type Definition,
  defineTrigger,
  deserializeMessage,
  duration,
  fixed,
  type TaskContext,
  type TriggerContext,
  toRow,
} from '@millrace/plugin-kit';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { type SerdeType, withRedis } from './client.ts';
import { listProperties, type Pop, popOutput, popProperties, requireLimit } from './lists.ts';

/*
 * A trigger moves values to a processing list and removes them from there after the execution is stored. A server that
 * crashes in between leaves them in the processing list, which the next poll reads first: a value may start two executions,
 * and none is lost.
 */

const triggerExample = (type: string, lines: readonly string[], message: string) => ({
  title: 'When values arrive.',
  runs: false,
  code: `id: redis_${type.toLowerCase()}
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "{{ trigger.${message} }}"

triggers:
  - id: watch
    type: redis.list.${type}
    url: "redis://:{{ secret('REDIS_PASSWORD') }}@redis.example.com:6379/0"
${lines.map((line) => `    ${line}`).join('\n')}
`,
});

const processingNote = `The values are kept in the list \`{<key>}:processing:<namespace>.<flow>.<trigger>\` until the execution is stored; values that
are still there when a server starts again are delivered again. The server must be Redis 6.2 or newer.`;

const trigger = defineTrigger({
  type: 'redis.list.Trigger',
  role: 'polling',
  title: 'Start when a list in Redis has values',
  description: `Takes values from the head of a list every \`interval\` and starts one execution for all of them. ${processingNote}`,
  aliases: ['io.kestra.plugin.redis.TriggerList'],
  input: () =>
    z.object({
      ...popProperties,
      interval: fixed(duration()).prefault('PT1M').describe('The pause between two polls.'),
    }),
  output: popOutput,
  examples: [triggerExample('Trigger', ['key: jobs', 'maxRecords: 100', 'interval: PT10S'], 'uri')],
  poll: (context, input) =>
    withRedis(context, input.url, async (redis) => {
      await pollList(context, redis, input);
      return undefined;
    }),
});

async function pollList(context: TriggerContext, redis: Redis, input: Pop): Promise<void> {
  requireLimit(input);
  const processing = processingKey(context, input.key);
  const deadline = Date.now() + (input.maxDuration ?? Number.POSITIVE_INFINITY);
  const next = (from: number) => {
    const left = Math.min(input.count, (input.maxRecords ?? Number.POSITIVE_INFINITY) - from);
    return left <= 0 ? Promise.resolve([]) : readProcessing(redis, input.key, processing, { from, left });
  };
  const first = await next(0);
  if (first.length === 0) return;
  let count = 0;
  const rows = async function* () {
    for (let batch = first; batch.length > 0; ) {
      for (const value of batch) yield toRow(read(context, value, input.serdeType));
      count += batch.length;
      if (Date.now() >= deadline) return;
      batch = await next(count);
    }
  };
  const uri = await context.files.put('values.ion', rows());
  await context.emit({ count, uri });
  await redis.ltrim(processing, count, -1);
}

/** Values of the processing list from a position; moves more values there when it has no more. */
async function readProcessing(
  redis: Redis,
  key: string,
  processing: string,
  { from, left }: { readonly from: number; readonly left: number },
): Promise<readonly string[]> {
  const kept = await redis.lrange(processing, from, from + left - 1);
  if (kept.length > 0) return kept;
  const pipeline = redis.pipeline();
  for (let index = 0; index < left; index++) pipeline.lmove(key, processing, 'LEFT', 'RIGHT');
  const values: string[] = [];
  for (const [error, value] of (await pipeline.exec()) ?? []) {
    if (error) throw error;
    if (typeof value === 'string') values.push(value);
  }
  return values;
}

/** The braces put both lists into the same slot of a cluster. */
function processingKey({ run }: Pick<TaskContext, 'run'>, key: string): string {
  const tagged = key.includes('{') ? key : `{${key}}`;
  return `${tagged}:processing:${run.namespace}.${run.flowId}.${run.taskId}`;
}

/** A value that is not JSON is handed over as text, because a failure would deliver it again forever. */
const read = (context: TaskContext, value: string, serdeType: SerdeType): unknown =>
  deserializeMessage(context, Buffer.from(value), serdeType);

/** How long the trigger waits when the list is empty. */
const pauseMs = 100;

const realtime = defineTrigger({
  type: 'redis.list.RealtimeTrigger',
  role: 'realtime',
  title: 'Start for every value of a list in Redis',
  description: `Takes values from the head of a list and starts an execution for each. ${processingNote}`,
  input: () => z.object(listProperties),
  output: () => z.object({ value: z.unknown().describe('The value.') }),
  examples: [triggerExample('RealtimeTrigger', ['key: jobs'], 'value')],
  listen: (context, { url, key, serdeType }, emit) =>
    withRedis(context, url, async (redis) => {
      const processing = processingKey(context, key);
      while (!context.signal.aborted) {
        const [value] = await readProcessing(redis, key, processing, { from: 0, left: 1 });
        if (value === undefined) {
          await delay(pauseMs, undefined, { signal: context.signal }).catch(() => {});
          continue;
        }
        await emit({ value: read(context, value, serdeType) });
        await redis.lpop(processing);
      }
    }).catch((error: unknown) => {
      if (!context.signal.aborted) throw error;
    }),
});

export const listTriggers: readonly Definition[] = [trigger, realtime];

import {
  type Definition,
  defineTask,
  defineTrigger,
  deserializeMessage,
  duration,
  fixed,
  integer,
  isMap,
  someValue,
  type TaskContext,
  text,
  toRow,
} from '@millrace/plugin-kit';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { type SerdeType, serdeTypeProperty, serialize, urlProperty, withRedis } from './client.ts';
import { redisExample } from './example.ts';
import { eachValue } from './values.ts';

/*
 * Readers belong to a consumer group, which remembers the entries that were delivered and not yet acknowledged. A trigger
 * acknowledges an entry after its execution is stored. Its name in the group never changes, so the server that runs it next
 * first gets the entries that the last one did not acknowledge: an entry may start two executions, and none is lost.
 */

const streamProperties = {
  url: urlProperty(),
  key: text().describe('The key of the stream.'),
  serdeType: serdeTypeProperty().describe(
    'What the values of the fields contain: text, or JSON. A value that is not JSON is read as text.',
  ),
};

const groupProperties = {
  ...streamProperties,
  group: text().default('millrace').describe('The consumer group; it is created when it does not exist.'),
  startId: text()
    .default('0')
    .describe(
      'Where a new group starts: `0` for all entries, `$` for entries that are added later, or an id.',
    ),
};

const add = defineTask({
  type: 'redis.stream.Add',
  title: 'Add entries to a stream in Redis',
  description: `Adds entries to a stream: the rows of a stored file, a list, or one entry. A map is an entry with its fields; any other value is an
entry with the field \`value\`.`,
  input: () =>
    z.object({
      ...streamProperties,
      from: someValue().describe('A file in internal storage, a list, or one entry.'),
      maxLength: integer({ min: 1 })
        .optional()
        .describe('Keep about this many entries in the stream; older ones are removed.'),
    }),
  output: () =>
    z.object({
      count: z.number().describe('How many entries were added.'),
      lastId: z.string().optional().describe('The id of the last entry; absent when there was none.'),
    }),
  metrics: [{ name: 'added.records.count', type: 'counter', description: 'How many entries were added.' }],
  sideEffects: true,
  examples: [
    redisExample('stream.Add', 'Add an order.', ['key: orders', 'from:', '  id: "1"', '  amount: "10"']),
  ],
  run: (context, { url, key, from, serdeType, maxLength }) =>
    withRedis(context, url, async (redis) => {
      let count = 0;
      let lastId: string | undefined;
      for await (const value of eachValue(context, from)) {
        const fields = Object.entries(isMap(value) ? value : { value }).flatMap(([name, each]) => [
          name,
          serialize(each, serdeType),
        ]);
        const limit = maxLength === undefined ? [] : ['MAXLEN', '~', String(maxLength)];
        // `as`: the command has too many forms for the types of the client.
        lastId = (await redis.call('XADD', key, ...limit, '*', ...fields)) as string;
        count += 1;
      }
      context.metric({ name: 'added.records.count', type: 'counter', value: count });
      return { count, ...(lastId !== undefined && { lastId }) };
    }),
});

const readProperties = {
  ...groupProperties,
  maxRecords: integer({ min: 1 }).default(1_000).describe('The most entries to read at once.'),
};

const readOutput = z.object({
  count: z.number().describe('How many entries were read.'),
  uri: z
    .string()
    .optional()
    .describe('A file with the `id` and the `fields` of an entry per row; absent when there was none.'),
});

const read = defineTask({
  type: 'redis.stream.Read',
  title: 'Read entries of a stream in Redis',
  description:
    'Reads the entries that no consumer of the group has read, stores them in a file and acknowledges them. It does not wait for entries.',
  input: () => z.object(readProperties),
  output: readOutput,
  metrics: [{ name: 'read.records.count', type: 'counter', description: 'How many entries were read.' }],
  sideEffects: true,
  examples: [redisExample('stream.Read', 'Read up to 100 orders.', ['key: orders', 'maxRecords: 100'])],
  run: (context, input) =>
    withRedis(context, input.url, async (redis) => {
      const result = await storeEntries(context, redis, input, async () => {});
      context.metric({ name: 'read.records.count', type: 'counter', value: result.count });
      return result;
    }),
});

const triggerExample = (type: string, lines: readonly string[], message: string) => ({
  title: 'When entries arrive.',
  runs: false,
  code: `id: redis_stream_${type.toLowerCase()}
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "{{ trigger.${message} }}"

triggers:
  - id: watch
    type: redis.stream.${type}
    url: "redis://:{{ secret('REDIS_PASSWORD') }}@redis.example.com:6379/0"
${lines.map((line) => `    ${line}`).join('\n')}
`,
});

const acknowledgment = `Entries are acknowledged after the execution is stored; entries that a server did not acknowledge before it ended are
delivered again.`;

const trigger = defineTrigger({
  type: 'redis.stream.Trigger',
  role: 'polling',
  title: 'Start when a stream in Redis has entries',
  description: `Reads the new entries of a stream every \`interval\` and starts one execution for all of them. ${acknowledgment}`,
  input: () =>
    z.object({
      ...readProperties,
      interval: fixed(duration()).prefault('PT1M').describe('The pause between two polls.'),
    }),
  output: readOutput,
  examples: [triggerExample('Trigger', ['key: orders', 'group: shop', 'interval: PT10S'], 'uri')],
  poll: (context, input) =>
    withRedis(context, input.url, async (redis) => {
      await storeEntries(context, redis, input, context.emit);
      return undefined;
    }),
});

const realtime = defineTrigger({
  type: 'redis.stream.RealtimeTrigger',
  role: 'realtime',
  title: 'Start for every entry of a stream in Redis',
  description: `Reads the new entries of a stream and starts an execution for each. ${acknowledgment}`,
  input: () => z.object(groupProperties),
  output: () =>
    z.object({
      id: z.string().describe('The id of the entry.'),
      fields: z.record(z.string(), z.unknown()).describe('The fields of the entry.'),
    }),
  examples: [triggerExample('RealtimeTrigger', ['key: orders', 'group: shop'], 'fields')],
  listen: (context, input, emit) =>
    withRedis(context, input.url, async (redis) => {
      const group = await openGroup(context, redis, input);
      while (!context.signal.aborted) {
        for (const entry of await group.next(entriesAhead, waitMs)) {
          if (entry.fields)
            await emit({ id: entry.id, fields: toFields(context, entry.fields, input.serdeType) });
          await group.acknowledge([entry.id]);
        }
      }
    }).catch((error: unknown) => {
      if (!context.signal.aborted) throw error;
    }),
});

/** How many entries the realtime trigger reads at once, and how long it waits for them. */
const entriesAhead = 50;
const waitMs = 1_000;

type Fields = readonly string[];
interface Entry {
  readonly id: string;
  /** Absent for an entry that was removed from the stream before it was acknowledged. */
  readonly fields: Fields | null;
}

interface GroupInput {
  readonly key: string;
  readonly group: string;
  readonly startId: string;
}

interface Group {
  /** The next entries: first those that were delivered earlier and not acknowledged, then new ones. */
  next(count: number, waitMs?: number): Promise<readonly Entry[]>;
  acknowledge(ids: readonly string[]): Promise<void>;
}

async function openGroup(
  { run }: TaskContext,
  redis: Redis,
  { key, group, startId }: GroupInput,
): Promise<Group> {
  await redis.xgroup('CREATE', key, group, startId, 'MKSTREAM').catch((error: Error) => {
    if (!error.message.startsWith('BUSYGROUP')) throw error;
  });
  const consumer = `${run.namespace}.${run.flowId}.${run.taskId}`;
  let delivered: string | undefined = '0';
  const readFrom = async (id: string, count: number, block: readonly string[] = []) => {
    const found = await redis.call(
      'XREADGROUP',
      ...['GROUP', group, consumer, 'COUNT', String(count), ...block, 'STREAMS', key, id],
    );
    // `as`: the response is documented; it is null when there is no entry.
    const [stream] = (found ?? []) as [string, [string, Fields | null][]][];
    return (stream?.[1] ?? []).map(([entryId, fields]): Entry => ({ id: entryId, fields }));
  };
  return {
    async next(count, waitMs) {
      if (delivered !== undefined) {
        const earlier = await readFrom(delivered, count);
        delivered = earlier.at(-1)?.id;
        if (earlier.length > 0) return earlier;
      }
      return readFrom('>', count, waitMs === undefined ? [] : ['BLOCK', String(waitMs)]);
    },
    async acknowledge(ids) {
      if (ids.length > 0) await redis.xack(key, group, ...ids);
    },
  };
}

/** Stores entries, hands the result over, and acknowledges when that is done. */
async function storeEntries(
  context: TaskContext,
  redis: Redis,
  input: GroupInput & { readonly serdeType: SerdeType; readonly maxRecords: number },
  handOver: (result: { count: number; uri: string }) => Promise<void>,
): Promise<z.infer<typeof readOutput>> {
  const group = await openGroup(context, redis, input);
  const ids: string[] = [];
  let count = 0;
  const next = () =>
    ids.length < input.maxRecords ? group.next(Math.min(batchSize, input.maxRecords - ids.length)) : [];
  let batch = await next();
  const rows = async function* () {
    for (; batch.length > 0; batch = await next()) {
      for (const { id, fields } of batch) {
        ids.push(id);
        if (!fields) continue;
        count += 1;
        yield toRow({ id, fields: toFields(context, fields, input.serdeType) });
      }
    }
  };
  const uri = batch.length === 0 ? undefined : await context.files.put('entries.ion', rows());
  const result = { count, ...(uri !== undefined && count > 0 && { uri }) };
  if (uri !== undefined && count > 0) await handOver({ count, uri });
  for (let from = 0; from < ids.length; from += batchSize)
    await group.acknowledge(ids.slice(from, from + batchSize));
  return result;
}

const batchSize = 500;

function toFields(context: TaskContext, fields: Fields, serdeType: SerdeType): Record<string, unknown> {
  const pairs: [string, unknown][] = [];
  for (let index = 0; index < fields.length; index += 2) {
    const value = deserializeMessage(context, Buffer.from(fields[index + 1] ?? ''), serdeType);
    pairs.push([fields[index] ?? '', value]);
  }
  return Object.fromEntries(pairs);
}

export const streamTypes: readonly Definition[] = [add, read, trigger, realtime];

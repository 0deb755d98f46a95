import {
  defineTask,
  importModule,
  integer,
  listOf,
  mapOf,
  someValue,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import type * as Kv from '@nats-io/kv';
import { z } from 'zod';
import { connectionProperties, type NatsConnectionInput, withNats } from './client.ts';
import { taskExample } from './example.ts';
import { toBytes } from './message.ts';

const bucketProperties = () => ({
  ...connectionProperties(),
  bucketName: text().describe('The bucket.'),
});

const withBuckets = <T>(
  context: TaskContext,
  input: NatsConnectionInput,
  work: (buckets: Kv.Kvm) => Promise<T>,
) =>
  withNats(context, input, async (nats) => {
    const { Kvm } = await importModule<typeof Kv>('@nats-io/kv');
    return work(new Kvm(nats));
  });

const withBucket = <T>(
  context: TaskContext,
  input: NatsConnectionInput & { readonly bucketName: string },
  work: (bucket: Kv.KV) => Promise<T>,
) =>
  withBuckets(context, input, async (buckets) => {
    const bucket = await buckets.open(input.bucketName);
    await bucket.status().catch((error: unknown) => {
      throw new TaskFailed(`There is no bucket "${input.bucketName}".`, { retry: false, cause: error });
    });
    return work(bucket);
  });

const createBucket = defineTask({
  type: 'nats.kv.CreateBucket',
  title: 'Create a key-value bucket in NATS',
  description: 'Creates a bucket. A bucket of that name with the same settings is left as it is.',
  input: () =>
    z.object({
      ...connectionProperties(),
      name: text().describe('The name of the bucket.'),
      description: text().optional().describe('What the bucket is for.'),
      metadata: mapOf(text()).optional().describe('More about the bucket, by key.'),
      historyPerKey: integer({ min: 1, max: 64 })
        .default(1)
        .describe('How many revisions of a value are kept.'),
      bucketSize: integer({ min: 1 }).optional().describe('The largest size of the bucket in bytes.'),
      valueSize: integer({ min: 1 }).optional().describe('The largest size of a value in bytes.'),
    }),
  output: () =>
    z.object({
      bucket: z.string().describe('The name.'),
      description: z.string().optional().describe('The description.'),
      history: z.number().describe('How many revisions of a value are kept.'),
      entryCount: z.number().describe('How many entries the bucket has.'),
      bucketSize: z.number().describe('The largest size of the bucket in bytes, -1 for no limit.'),
      valueSize: z.number().describe('The largest size of a value in bytes, -1 for no limit.'),
      metadata: z.record(z.string(), z.string()).describe('The metadata.'),
    }),
  sideEffects: true,
  examples: [
    taskExample('kv.CreateBucket', 'A bucket with history.', ['name: settings', 'historyPerKey: 5']),
  ],
  run: (context, input) =>
    withBuckets(context, input, async (buckets) => {
      const bucket = await buckets.create(input.name, {
        history: input.historyPerKey,
        ...(input.description !== undefined && { description: input.description }),
        ...(input.metadata && { metadata: input.metadata }),
        ...(input.bucketSize !== undefined && { max_bytes: input.bucketSize }),
        ...(input.valueSize !== undefined && { maxValueSize: input.valueSize }),
      });
      const status = await bucket.status();
      return {
        bucket: status.bucket,
        ...(status.description && { description: status.description }),
        history: status.history,
        entryCount: status.values,
        bucketSize: status.max_bytes,
        valueSize: status.maxValueSize,
        metadata: status.metadata ?? {},
      };
    }),
});

const put = defineTask({
  type: 'nats.kv.Put',
  title: 'Store values in a NATS bucket',
  description: 'Stores values by key: text as it is, everything else as JSON.',
  input: () =>
    z.object({ ...bucketProperties(), values: mapOf(someValue()).describe('The values, by key.') }),
  output: () =>
    z.object({ revisions: z.record(z.string(), z.number()).describe('The new revision of each key.') }),
  sideEffects: true,
  examples: [
    taskExample('kv.Put', 'Store two values.', [
      'bucketName: settings',
      'values:',
      '  color: blue',
      '  limits:',
      '    rows: 100',
    ]),
  ],
  run: (context, input) =>
    withBucket(context, input, async (bucket) => {
      const revisions: Record<string, number> = {};
      for (const [key, value] of Object.entries(input.values)) {
        revisions[key] = await bucket.put(key, toBytes(value));
      }
      return { revisions };
    }),
});

const get = defineTask({
  type: 'nats.kv.Get',
  title: 'Read values from a NATS bucket',
  description: `Reads values by key. A value that is the JSON of a map or a list is read as such, any other value is text. A key without a value is
left out.`,
  input: () =>
    z.object({
      ...bucketProperties(),
      keys: listOf(text()).describe('The keys.'),
      keyRevisions: mapOf(integer({ min: 1 }))
        .optional()
        .describe('The revision to read, by key; the last one when absent.'),
    }),
  output: () => z.object({ output: z.record(z.string(), z.unknown()).describe('The values, by key.') }),
  sideEffects: false,
  examples: [taskExample('kv.Get', 'Read two values.', ['bucketName: settings', 'keys: [color, limits]'])],
  run: (context, input) =>
    withBucket(context, input, async (bucket) => {
      const output: Record<string, unknown> = {};
      for (const key of new Set([...input.keys, ...Object.keys(input.keyRevisions ?? {})])) {
        const revision = input.keyRevisions?.[key];
        const entry = await (revision === undefined ? bucket.get(key) : bucket.get(key, { revision }));
        if (entry?.operation === 'PUT') output[key] = readValue(entry.string());
      }
      return { output };
    }),
});

function readValue(value: string): unknown {
  if (!/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const remove = defineTask({
  type: 'nats.kv.Delete',
  title: 'Delete values from a NATS bucket',
  description: 'Deletes values by key. Earlier revisions are kept as far as the bucket keeps history.',
  input: () => z.object({ ...bucketProperties(), keys: listOf(text()).describe('The keys.') }),
  output: () => z.object({ deletedCount: z.number().describe('How many values were deleted.') }),
  sideEffects: true,
  examples: [taskExample('kv.Delete', 'Delete a value.', ['bucketName: settings', 'keys: [color]'])],
  run: (context, input) =>
    withBucket(context, input, async (bucket) => {
      let deletedCount = 0;
      for (const key of input.keys) {
        const entry = await bucket.get(key);
        if (entry?.operation !== 'PUT') continue;
        await bucket.delete(key);
        deletedCount++;
      }
      return { deletedCount };
    }),
});

export const keyValueTasks = [createBucket, put, get, remove];

import { setTimeout as delay } from 'node:timers/promises';
import {
  batchesOf,
  choice,
  type Definition,
  defineTask,
  defineTrigger,
  deserializeMessage,
  dropMissing,
  duration,
  fixed,
  flag,
  integer,
  messageOf,
  readMessages,
  serializeMessage,
  someValue,
  type TaskContext,
  TaskFailed,
  text,
  toRow,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { type AwsClient, AwsError } from '../client/awsClient.ts';
import { type Connection, compatibilityProperties, connectionProperties } from '../client/connection.ts';
import { taskExample, triggerExample } from '../client/example.ts';
import { openClient } from '../client/openClient.ts';

const queueProperties = {
  queueUrl: text().describe('The URL of the queue.'),
  maxConcurrency: integer({ min: 1 })
    .default(50)
    .describe('Accepted for compatibility: requests of a task follow one another.'),
  connectionAcquisitionTimeout: duration()
    .prefault('PT5S')
    .describe('Accepted for compatibility: connections are not pooled by task.'),
};

const consumeProperties = {
  maxRecords: integer({ min: 1 }).optional().describe('Stop after this many messages.'),
  maxDuration: duration().optional().describe('Stop after this time.'),
  serdeType: choice(['STRING', 'JSON']).default('STRING').describe('How a body is read: as text or as JSON.'),
  autoDelete: flag()
    .default(true)
    .describe('Delete the messages; otherwise they return to the queue after `visibilityTimeout`.'),
  visibilityTimeout: integer({ min: 0, max: 43_200 })
    .default(30)
    .describe('For how many seconds other consumers do not see the messages. Longer than the task takes.'),
};

/** Requests go to the host that the URL of the queue names. */
function openQueue(context: TaskContext, connection: Connection & { readonly queueUrl: string }) {
  const { queueUrl } = connection;
  if (!URL.canParse(queueUrl))
    throw new TaskFailed(`"${queueUrl}" is not the URL of a queue.`, { retry: false });
  const host = /^sqs\.([a-z0-9-]+)\.amazonaws\.com(\.cn)?$/.exec(new URL(queueUrl).hostname);
  const region = connection.region ?? host?.[1];
  const endpointOverride = connection.endpointOverride ?? new URL(queueUrl).origin;
  return openClient(context, { ...connection, region, endpointOverride }, 'sqs');
}

const Failed = z.object({
  Failed: z
    .array(z.looseObject({ Id: z.string(), Code: z.string().optional(), Message: z.string().optional() }))
    .optional(),
});

const maxBatchBytes = 256 * 1024;

const publish = defineTask({
  type: 'aws.sqs.Publish',
  title: 'Send messages to an SQS queue',
  description: `Sends one message, a list of messages or the rows of a file, ten in one request. A message is a map with \`data\`, or the data itself; a
map or list as data is sent as JSON. A message that the queue refuses fails the task.`,
  input: () =>
    z.object({
      ...connectionProperties,
      ...compatibilityProperties,
      ...queueProperties,
      from: someValue().describe(
        'The messages: maps with `data`, `groupId`, `deduplicationId` and `delaySeconds`, a list of them, or a file with one a row.',
      ),
    }),
  output: () => z.object({ messagesCount: z.number().describe('How many messages were sent.') }),
  metrics: [{ name: 'sqs.publish.messages', type: 'counter', description: 'How many messages were sent.' }],
  sideEffects: true,
  examples: [
    taskExample('aws.sqs.Publish', 'Send two messages.', [
      'queueUrl: https://sqs.eu-west-1.amazonaws.com/123456789012/orders',
      'from:',
      '  - data: first',
      '  - data:',
      '      id: 2',
      '    delaySeconds: 10',
    ]),
  ],
  async run(context, { from, ...connection }) {
    const client = await openQueue(context, connection);
    let messagesCount = 0;
    const entries = toEntries(readMessages(context, from));
    const sizeOf = ({ MessageBody }: { MessageBody: string }) => Buffer.byteLength(MessageBody);
    for await (const batch of batchesOf(entries, { count: 10, bytes: maxBatchBytes, sizeOf })) {
      const Entries = batch.map((entry, index) => ({ Id: String(index), ...entry }));
      const { Failed: failed = [] } = await client.json(
        'SendMessageBatch',
        { QueueUrl: connection.queueUrl, Entries },
        Failed,
      );
      const [first] = failed;
      if (first)
        throw new TaskFailed(
          `SQS refused ${failed.length} of ${batch.length} messages: ${first.Code}: ${first.Message}. ${messagesCount} were sent before.`,
        );
      messagesCount += batch.length;
    }
    context.metric({ name: 'sqs.publish.messages', type: 'counter', value: messagesCount });
    return { messagesCount };
  },
});

const Message = z.object({
  data: z.unknown(),
  groupId: z.coerce.string().nullish(),
  deduplicationId: z.coerce.string().nullish(),
  delaySeconds: z.coerce.number().int().nullish(),
});

async function* toEntries(messages: AsyncIterable<unknown>) {
  for await (const message of messages) {
    const isMap = typeof message === 'object' && message !== null && 'data' in message;
    const { data, groupId, deduplicationId, delaySeconds } = Message.parse(
      isMap ? message : { data: message },
    );
    yield {
      MessageBody: serializeMessage(data, 'STRING').toString(),
      ...dropMissing({
        MessageGroupId: groupId,
        MessageDeduplicationId: deduplicationId,
        DelaySeconds: delaySeconds,
      }),
    };
  }
}

const Received = z.object({
  Messages: z
    .array(
      z.looseObject({
        MessageId: z.string(),
        ReceiptHandle: z.string(),
        Body: z.string().default(''),
        Attributes: z.record(z.string(), z.string()).optional(),
      }),
    )
    .nullish(),
});
type Received = NonNullable<z.infer<typeof Received>['Messages']>[number];

interface Receive {
  readonly queueUrl: string;
  readonly count: number;
  readonly waitSeconds: number;
  readonly visibilityTimeout: number;
}

async function receive(client: AwsClient, input: Receive): Promise<readonly Received[]> {
  const { Messages } = await client.json(
    'ReceiveMessage',
    {
      QueueUrl: input.queueUrl,
      MaxNumberOfMessages: input.count,
      WaitTimeSeconds: input.waitSeconds,
      VisibilityTimeout: input.visibilityTimeout,
      AttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    },
    Received,
  );
  return Messages ?? [];
}

async function deleteMessages(
  client: AwsClient,
  queueUrl: string,
  handles: readonly string[],
): Promise<void> {
  for (let start = 0; start < handles.length; start += 10) {
    const Entries = handles
      .slice(start, start + 10)
      .map((ReceiptHandle, index) => ({ Id: String(index), ReceiptHandle }));
    await client.json('DeleteMessageBatch', { QueueUrl: queueUrl, Entries }, Failed);
  }
}

const readBody = (context: TaskContext, body: string, serdeType: 'STRING' | 'JSON'): unknown =>
  deserializeMessage(context, Buffer.from(body), serdeType);

interface Consume {
  readonly queueUrl: string;
  readonly maxRecords?: number | undefined;
  readonly maxDuration?: number | undefined;
  readonly serdeType: 'STRING' | 'JSON';
  readonly visibilityTimeout: number;
}

/** Stores messages in a file. The handles delete them, once the file is safe. */
async function consume(context: TaskContext, client: AwsClient, input: Consume) {
  const { maxRecords = Number.POSITIVE_INFINITY, maxDuration = Number.POSITIVE_INFINITY } = input;
  if (input.maxRecords === undefined && input.maxDuration === undefined)
    throw new TaskFailed('One of "maxRecords" and "maxDuration" must be given.', { retry: false });
  const deadline = Date.now() + maxDuration;
  // A message redelivered while the task still runs is the same message with a newer handle.
  const handles = new Map<string, string>();
  const next = () =>
    receive(client, { ...input, count: Math.min(10, maxRecords - handles.size), waitSeconds: 1 });
  const first = await next();
  if (first.length === 0 && input.maxDuration === undefined) return { count: 0, handles: [] };
  const rows = async function* () {
    for (let batch = first; ; batch = await next()) {
      for (const { MessageId, ReceiptHandle, Body } of batch) {
        const isNew = !handles.has(MessageId);
        handles.set(MessageId, ReceiptHandle);
        if (isNew) yield toRow(readBody(context, Body, input.serdeType));
      }
      // Without a time limit an empty queue is the end.
      const isEmpty = batch.length === 0 && input.maxDuration === undefined;
      if (isEmpty || handles.size >= maxRecords || Date.now() >= deadline) return;
    }
  };
  const uri = await context.files.put('messages.ion', rows());
  context.metric({ name: 'sqs.consume.messages', type: 'counter', value: handles.size });
  return { uri, count: handles.size, handles: [...handles.values()] };
}

const consumeOutput = z.object({
  count: z.number().describe('How many messages were read.'),
  uri: z.string().optional().describe('A file with the body of a message per row.'),
});

const consumeTask = defineTask({
  type: 'aws.sqs.Consume',
  title: 'Read messages from an SQS queue',
  description: `Reads messages until \`maxRecords\` or \`maxDuration\` is reached, one of which must be given, and stores their bodies in a file. Without
\`maxDuration\` an empty queue ends the task. Messages are deleted after the file is stored, so a failure loses none.`,
  input: () =>
    z.object({
      ...connectionProperties,
      ...compatibilityProperties,
      ...queueProperties,
      ...consumeProperties,
    }),
  output: consumeOutput,
  metrics: [{ name: 'sqs.consume.messages', type: 'counter', description: 'How many messages were read.' }],
  sideEffects: true,
  examples: [
    taskExample('aws.sqs.Consume', 'Read up to 100 messages.', [
      'queueUrl: https://sqs.eu-west-1.amazonaws.com/123456789012/orders',
      'serdeType: JSON',
      'maxRecords: 100',
    ]),
  ],
  async run(context, input) {
    const client = await openQueue(context, input);
    const { handles, ...done } = await consume(context, client, input);
    if (input.autoDelete) await deleteMessages(client, input.queueUrl, handles);
    return done;
  },
});

const trigger = defineTrigger({
  type: 'aws.sqs.Trigger',
  role: 'polling',
  title: 'Start when an SQS queue has messages',
  description: `Reads messages every \`interval\`, as \`aws.sqs.Consume\` does, and starts one execution for all of them. They are deleted after the execution is
stored. With \`autoDelete: false\` they come again after \`visibilityTimeout\`.`,
  input: () =>
    z.object({
      ...connectionProperties,
      ...queueProperties,
      ...consumeProperties,
      interval: fixed(duration()).prefault('PT1M').describe('The pause between two polls.'),
    }),
  output: consumeOutput,
  examples: [
    triggerExample(
      'aws.sqs.Trigger',
      'Process messages in batches.',
      [
        'queueUrl: https://sqs.eu-west-1.amazonaws.com/123456789012/orders',
        'maxRecords: 100',
        'interval: PT30S',
      ],
      'trigger.uri',
    ),
  ],
  async poll(context, input) {
    const client = await openQueue(context, input);
    const { handles, ...done } = await consume(context, client, input);
    if (done.count === 0) return undefined;
    if (!input.autoDelete) return done;
    await context.emit(done);
    await deleteMessages(client, input.queueUrl, handles);
    return undefined;
  },
});

const longestPauseMs = 60_000;

const realtime = defineTrigger({
  type: 'aws.sqs.RealtimeTrigger',
  role: 'realtime',
  title: 'Start for every message of an SQS queue',
  description: `Waits for messages and starts an execution for each. A message is deleted after its execution is stored, so none is lost when the server
crashes, and a message that comes again because of it starts nothing. When the queue cannot be reached the trigger tries again, with growing pauses; an error that
cannot pass, such as missing permissions, ends it.`,
  input: () =>
    z.object({
      ...connectionProperties,
      ...queueProperties,
      serdeType: consumeProperties.serdeType,
      autoDelete: consumeProperties.autoDelete,
      visibilityTimeout: consumeProperties.visibilityTimeout,
      waitTime: duration()
        .prefault('PT20S')
        .describe('How long a request waits for messages; 20 seconds at most.'),
      maxNumberOfMessage: integer({ min: 1, max: 10 })
        .default(5)
        .describe('How many messages a request brings.'),
      clientRetryMaxAttempts: integer({ min: 0 })
        .default(3)
        .describe('Accepted for compatibility: the trigger tries again until it is stopped.'),
    }),
  output: () =>
    z.object({
      data: z.unknown().describe('The body.'),
      groupId: z.string().optional().describe('The group of the message.'),
      deduplicationId: z.string().optional().describe('The id by which duplicates are found.'),
      delaySeconds: z
        .number()
        .optional()
        .describe('Accepted for compatibility: the service does not tell it.'),
    }),
  examples: [
    triggerExample(
      'aws.sqs.RealtimeTrigger',
      'Process each message at once.',
      ['queueUrl: https://sqs.eu-west-1.amazonaws.com/123456789012/orders'],
      'trigger.data',
    ),
  ],
  async listen(context, input, emit) {
    const { signal } = context;
    const client = await openQueue(context, input);
    const waitSeconds = Math.min(20, Math.round(input.waitTime / 1000));
    let pauseMs = 500;
    while (!signal.aborted) {
      try {
        const batch = await receive(client, { ...input, count: input.maxNumberOfMessage, waitSeconds });
        pauseMs = 500;
        for (const message of batch) await deliver(message);
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof AwsError && !error.failure.isTransient) throw error;
        await context.log('WARN', `${messageOf(error)} Trying again in ${pauseMs / 1000} s.`);
        await delay(pauseMs, undefined, { signal }).catch(() => {});
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      }
    }

    async function deliver({ MessageId, ReceiptHandle, Body, Attributes }: Received): Promise<void> {
      const outputs = {
        data: readBody(context, Body, input.serdeType),
        ...dropMissing({
          groupId: Attributes?.MessageGroupId,
          deduplicationId: Attributes?.MessageDeduplicationId,
        }),
      };
      await emit(outputs, { key: MessageId });
      if (input.autoDelete) await deleteMessages(client, input.queueUrl, [ReceiptHandle]);
    }
  },
});

export const sqsTypes: readonly Definition[] = [publish, consumeTask, trigger, realtime];

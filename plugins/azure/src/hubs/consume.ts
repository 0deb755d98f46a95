import {
  anything,
  choice,
  deserializeMessage,
  dropMissing,
  duration,
  integer,
  MessageBuffer,
  mapOf,
  messageOf,
  readIonText,
  storeMessages,
  type TaskContext,
  TaskFailed,
  text,
  toOutputValue,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { Checkpoints } from './checkpoints.ts';
import { type Hub, type HubEvent, type HubInput, withHub } from './hub.ts';

export const hubProperties = {
  namespace: text().describe('The namespace, such as `company`, or its host name.'),
  eventHubName: text().describe('The event hub.'),
  connectionString: text().optional().describe('The connection string of the namespace or the event hub.'),
  sharedKeyAccountName: text()
    .optional()
    .describe('The name of a shared access policy, instead of a connection string.'),
  sharedKeyAccountAccessKey: text().optional().describe('The key of the policy.'),
  sasToken: text()
    .optional()
    .describe('A shared access signature. Without any of these, the identity of the server is used.'),
  customEndpointAddress: text()
    .optional()
    .describe('Another address to connect to, such as `sb://gateway.company.com:5671`.'),
  clientMaxRetries: integer({ min: 0 })
    .default(5)
    .describe('The number of further tries when the connection cannot be opened.'),
  clientRetryDelay: integer({ min: 0 })
    .default(500)
    .describe('The first pause between two tries in milliseconds; it doubles each time.'),
};

const checkpoints = () =>
  mapOf(text()).describe(
    'The container that keeps where to continue: `containerName` and `connectionString` (or `endpoint`, `sharedKeyAccountName`, `sharedKeyAccountAccessKey`, `sasToken`).',
  );

export const consumerProperties = {
  consumerGroup: text().default('$Default').describe('The consumer group.'),
  bodyDeserializer: choice(['STRING', 'BINARY', 'ION', 'JSON'])
    .default('STRING')
    .describe('How the body of an event is read.'),
  bodyDeserializerProperties: mapOf(anything()).default({}).describe('Accepted for compatibility.'),
  partitionStartingPosition: choice(['EARLIEST', 'LATEST', 'INSTANT'])
    .default('EARLIEST')
    .describe('Where to start in a partition that has no checkpoint.'),
  enqueueTime: text().optional().describe('The date and time at which `INSTANT` starts.'),
  checkpointStoreProperties: checkpoints(),
};
export const optionalCheckpoints = () => checkpoints().default({});

export const batchProperties = {
  maxBatchSizePerPartition: integer({ min: 1 })
    .default(50)
    .describe('The number of events of a partition that are read ahead.'),
  maxWaitTimePerPartition: duration().prefault('PT5S').describe('Stop when no event arrives for this time.'),
  maxDuration: duration().prefault('PT10S').describe('Stop after this time.'),
};

export const eventOutput = {
  body: z.unknown().optional().describe('The body.'),
  partitionKey: z.string().optional().describe('The partition key.'),
  contentType: z.string().optional().describe('The media type.'),
  correlationId: z.string().optional().describe('The correlation id.'),
  messageId: z.string().optional().describe('The id that the sender gave.'),
  enqueuedTimestamp: z.number().optional().describe('When the event arrived, in milliseconds.'),
  offset: z.number().optional().describe('The offset in the partition.'),
  sequenceNumber: z.number().optional().describe('The number in the partition.'),
  properties: z.record(z.string(), z.unknown()).describe('The properties of the sender.'),
};

type Deserializer = 'STRING' | 'BINARY' | 'ION' | 'JSON';
interface ConsumerInput extends HubInput {
  readonly consumerGroup: string;
  readonly bodyDeserializer: Deserializer;
  readonly partitionStartingPosition: 'EARLIEST' | 'LATEST' | 'INSTANT';
  readonly enqueueTime?: string | undefined;
  readonly checkpointStoreProperties: Readonly<Record<string, string>>;
}

const asText = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : String(value);

export function toRow(context: TaskContext, { message, ...event }: HubEvent, deserializer: Deserializer) {
  const offset = Number(event.offset);
  return {
    body: bodyOf(context, message.body, deserializer),
    properties: { ...message.application_properties },
    sequenceNumber: event.sequenceNumber,
    ...dropMissing({
      partitionKey: event.partitionKey,
      contentType: asText(message.content_type),
      correlationId: asText(message.correlation_id),
      messageId: asText(message.message_id),
      enqueuedTimestamp: event.enqueuedAt,
      offset: Number.isSafeInteger(offset) ? offset : undefined,
    }),
  };
}

/** The data sections of the event; a value of AMQP as its text. */
function bodyOf(context: TaskContext, body: unknown, deserializer: Deserializer): unknown {
  const read = z.looseObject({ content: z.unknown() }).safeParse(body);
  const content = read.success ? read.data.content : body;
  const parts = Array.isArray(content) ? content : [content];
  const bytes = Buffer.concat(
    parts.map((each) =>
      each instanceof Uint8Array
        ? Buffer.from(each)
        : Buffer.from(typeof each === 'string' ? each : (JSON.stringify(each) ?? '')),
    ),
  );
  if (deserializer === 'BINARY') return bytes;
  if (deserializer !== 'ION') return deserializeMessage(context, bytes, deserializer);
  try {
    return readIonText(bytes.toString('utf8'));
  } catch (error) {
    void context.log('WARN', `An event is not Ion and is handed over as text: ${messageOf(error)}`);
    return bytes.toString('utf8');
  }
}

export const toOutputs = (row: ReturnType<typeof toRow>) => ({ ...row, body: toOutputValue(row.body) });

function startOf({ partitionStartingPosition, enqueueTime }: ConsumerInput): string {
  if (partitionStartingPosition === 'EARLIEST') return "amqp.annotation.x-opt-offset > '-1'";
  if (partitionStartingPosition === 'LATEST') return "amqp.annotation.x-opt-offset > '@latest'";
  const at = Date.parse(enqueueTime ?? '');
  if (Number.isNaN(at))
    throw new TaskFailed(
      '"enqueueTime" must be a date and time when "partitionStartingPosition" is INSTANT.',
      { retry: false },
    );
  return `amqp.annotation.x-opt-enqueued-time > '${at}'`;
}

/** Opens all partitions after their checkpoints. */
export async function openConsumer(context: TaskContext, hub: Hub, input: ConsumerInput, credit: number) {
  const hasStore = Object.keys(input.checkpointStoreProperties).length > 0;
  const store = hasStore ? new Checkpoints(context, input, input.checkpointStoreProperties) : undefined;
  const start = startOf(input);
  const buffer = new MessageBuffer<HubEvent>();
  for (const partition of await hub.partitions()) {
    const offset = await store?.read(partition);
    const position =
      offset === undefined ? start : `amqp.annotation.x-opt-offset > '${offset.replaceAll("'", '')}'`;
    hub.receive(partition, { group: input.consumerGroup, position, credit }, buffer);
  }
  return { buffer, store };
}

interface BatchInput extends ConsumerInput {
  readonly maxBatchSizePerPartition: number;
  readonly maxWaitTimePerPartition: number;
  readonly maxDuration: number;
}

/** Stores events in a file. `settle` runs after it is stored; then the checkpoints are written. */
export function consume(
  context: TaskContext,
  input: BatchInput,
  storeEmpty: boolean,
  settle: (stored: { readonly eventsCount: number; readonly uri?: string }) => Promise<void>,
) {
  return withHub(context, input, async (hub) => {
    const { buffer, store } = await openConsumer(context, hub, input, input.maxBatchSizePerPartition);
    const last = new Map<string, HubEvent>();
    const { count, uri } = await storeMessages<HubEvent>(context, {
      next: (waitMs) => buffer.next(waitMs),
      toRow: (event) => {
        last.set(event.partition, event);
        event.done();
        return toRow(context, event, input.bodyDeserializer);
      },
      maxDuration: input.maxDuration,
      maxIdle: input.maxWaitTimePerPartition,
      storeEmpty,
    });
    const stored = { eventsCount: count, ...dropMissing({ uri }) };
    if (count > 0 || storeEmpty) await settle(stored);
    for (const event of last.values()) await store?.write(event);
    return stored;
  });
}

import {
  batchesOf,
  defineTask,
  dropMissing,
  flag,
  readMessages,
  serializeMessage,
  someValue,
  TaskFailed,
  toRow,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { taskConnection } from '../client/connection.ts';
import { taskExample } from '../client/example.ts';
import { openClient } from '../client/openClient.ts';

const Entry = z.looseObject({
  eventBusName: z.string().nullish(),
  source: z.string().nullish(),
  detailType: z.string().nullish(),
  detail: z.unknown(),
  resources: z.array(z.string()).nullish(),
  time: z.string().nullish(),
  traceHeader: z.string().nullish(),
});

const Answer = z.object({
  FailedEntryCount: z.number().default(0),
  Entries: z
    .array(
      z.looseObject({
        EventId: z.string().nullish(),
        ErrorCode: z.string().nullish(),
        ErrorMessage: z.string().nullish(),
      }),
    )
    .default([]),
});

export const eventbridgePutEvents = defineTask({
  type: 'aws.eventbridge.PutEvents',
  title: 'Send events to EventBridge',
  description: `Sends a list of events or the rows of a file, ten in one request, and stores what the service said of each in a file: the event with \`eventId\`, or
\`errorCode\` and \`errorMessage\`.`,
  input: () =>
    z.object({
      ...taskConnection,
      entries: someValue().describe(
        'The events: maps with `eventBusName`, `source`, `detailType`, `detail`, `resources` and `time`, a list of them, or a file with one a row.',
      ),
      failOnUnsuccessfulEvents: flag().default(true).describe('Fail when the service refuses an event.'),
    }),
  output: () =>
    z.object({
      uri: z.string().describe('A file with the result of an event per row.'),
      failedEntryCount: z.number().describe('How many events were refused.'),
      entryCount: z.number().describe('How many events there were.'),
    }),
  metrics: [
    { name: 'eventbridge.put.events.duration', type: 'timer', description: 'How long it took.' },
    { name: 'eventbridge.put.events.failed', type: 'counter', description: 'How many events were refused.' },
    { name: 'eventbridge.put.events.successful', type: 'counter', description: 'How many events were sent.' },
    { name: 'eventbridge.put.events.total', type: 'counter', description: 'How many events there were.' },
  ],
  sideEffects: true,
  examples: [
    taskExample('aws.eventbridge.PutEvents', 'Send an event.', [
      'entries:',
      '  - eventBusName: default',
      '    source: company.orders',
      '    detailType: order created',
      '    detail:',
      '      id: 42',
    ]),
  ],
  async run(context, { entries, failOnUnsuccessfulEvents, ...connection }) {
    const client = await openClient(context, connection, 'eventbridge');
    const start = performance.now();
    let [entryCount, failedEntryCount, reason] = [0, 0, ''];
    const results = async function* () {
      const events = toEntries(readMessages(context, entries));
      const sizeOf = ({ Detail }: { Detail: string }) => Buffer.byteLength(Detail) + 256;
      for await (const batch of batchesOf(events, { count: 10, bytes: 240 * 1024, sizeOf })) {
        const answer = await client.json('PutEvents', { Entries: batch }, Answer);
        entryCount += batch.length;
        failedEntryCount += answer.FailedEntryCount;
        for (const [index, event] of batch.entries()) {
          const { EventId, ErrorCode, ErrorMessage } = answer.Entries[index] ?? {};
          if (ErrorCode && reason === '') reason = `${ErrorCode}: ${ErrorMessage}`;
          const result = { eventId: EventId, errorCode: ErrorCode, errorMessage: ErrorMessage };
          yield toRow({ ...fromEntry(event), ...dropMissing(result) });
        }
      }
    };
    const uri = await context.files.put('events.ion', results());
    const count = (name: string, value: number) =>
      context.metric({ name: `eventbridge.put.events.${name}`, type: 'counter', value });
    count('total', entryCount);
    count('failed', failedEntryCount);
    count('successful', entryCount - failedEntryCount);
    const value = Math.round(performance.now() - start);
    context.metric({ name: 'eventbridge.put.events.duration', type: 'timer', value });
    const outputs = { uri, failedEntryCount, entryCount };
    if (failedEntryCount > 0 && failOnUnsuccessfulEvents)
      throw new TaskFailed(`EventBridge refused ${failedEntryCount} of ${entryCount} events: ${reason}`, {
        outputs,
      });
    return outputs;
  },
});

async function* toEntries(messages: AsyncIterable<unknown>) {
  for await (const message of messages) {
    const { eventBusName, source, detailType, detail, resources, time, traceHeader } = Entry.parse(message);
    yield {
      Detail: serializeMessage(detail ?? {}, 'STRING').toString(),
      ...dropMissing({
        EventBusName: eventBusName,
        Source: source,
        DetailType: detailType,
        Resources: resources,
        Time: time ? Date.parse(time) / 1000 : undefined,
        TraceHeader: traceHeader,
      }),
    };
  }
}

const fromEntry = (entry: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(entry).map(([name, value]) => [name.charAt(0).toLowerCase() + name.slice(1), value]),
  );

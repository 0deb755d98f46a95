import { storedRows } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AwsDouble, startAwsDouble, streamEvent } from '../testing/awsDouble.ts';
import { anAwsContext, listenAws, pollAws, runAws } from '../testing/runAws.ts';

let aws: AwsDouble;
beforeAll(async () => {
  aws = await startAwsDouble();
});
afterAll(() => aws.stop());

const queue = () => ({ ...aws.connection, queueUrl: `${aws.endpoint}/123456789012/orders` });

interface Waiting {
  readonly id: string;
  readonly body: string;
}

/** A queue as SQS keeps it: messages that were received are hidden, and gone when they are deleted. */
function aQueue(...bodies: readonly string[]) {
  const waiting: Waiting[] = bodies.map((body, index) => ({ id: `m${index}`, body }));
  const hidden = new Map<string, Waiting>();
  aws.respond(({ service, action, body }) => {
    expect(service).toBe('sqs');
    if (action === 'ReceiveMessage') {
      const taken = waiting.splice(0, Number(body.MaxNumberOfMessages));
      for (const message of taken) hidden.set(`receipt ${message.id}`, message);
      return {
        body:
          taken.length === 0
            ? {}
            : {
                Messages: taken.map(({ id, body }) => ({
                  MessageId: id,
                  ReceiptHandle: `receipt ${id}`,
                  Body: body,
                  Attributes: { MessageGroupId: 'g' },
                })),
              },
      };
    }
    if (action === 'DeleteMessageBatch')
      for (const { ReceiptHandle } of body.Entries as { ReceiptHandle: string }[])
        hidden.delete(ReceiptHandle);
    return { body: { Successful: [] } };
  });
  return { waiting, hidden };
}

test('SQS: publishes in batches of ten, and fails when a message is refused', async () => {
  aws.respond(() => ({ body: { Successful: [] } }));
  const from = [
    { data: { id: 1 }, groupId: 'g', delaySeconds: 5 },
    'plain',
    ...Array.from({ length: 10 }, () => ({ data: 'x' })),
  ];
  expect(await runAws('aws.sqs.Publish', { ...queue(), from })).toEqual({ messagesCount: 12 });
  expect(aws.requests.map(({ body }) => (body.Entries as unknown[]).length)).toEqual([10, 2]);
  const { QueueUrl, Entries } = aws.requests[0]?.body ?? {};
  expect(QueueUrl).toBe(`${aws.endpoint}/123456789012/orders`);
  expect((Entries as unknown[]).slice(0, 2)).toEqual([
    { Id: '0', MessageBody: '{"id":1}', MessageGroupId: 'g', DelaySeconds: 5 },
    { Id: '1', MessageBody: 'plain' },
  ]);
  aws.respond(() => ({ body: { Failed: [{ Id: '0', Code: 'TooLong', Message: 'too long' }] } }));
  await expect(runAws('aws.sqs.Publish', { ...queue(), from: 'x' })).rejects.toThrow('TooLong: too long');
});

test('SQS: consumes into a file and deletes what it has stored', async () => {
  const { hidden } = aQueue('{"n":1}', '{"n":2}', '{"n":3}');
  const context = anAwsContext();
  const done = await runAws('aws.sqs.Consume', { ...queue(), maxRecords: 100, serdeType: 'JSON' }, context);
  expect(done.count).toBe(3);
  expect(await storedRows(context, done.uri)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  expect(hidden.size).toBe(0);
  const kept = aQueue('a', 'b');
  expect((await runAws('aws.sqs.Consume', { ...queue(), maxRecords: 1, autoDelete: false })).count).toBe(1);
  expect([kept.hidden.size, kept.waiting.length]).toEqual([1, 1]);
  await expect(runAws('aws.sqs.Consume', queue())).rejects.toThrow('One of "maxRecords"');
});

test('SQS: the trigger deletes messages after the execution is stored', async () => {
  const { hidden } = aQueue('a', 'b');
  const context = anAwsContext();
  let hiddenThen = -1;
  const emit = async (outputs: object) => {
    hiddenThen = hidden.size;
    context.emitted.push({ ...outputs });
  };
  expect(
    await pollAws('aws.sqs.Trigger', { ...queue(), maxRecords: 10 }, { ...context, emit }),
  ).toBeUndefined();
  expect([hiddenThen, hidden.size, context.emitted[0]?.count]).toEqual([2, 0, 2]);
  expect(await pollAws('aws.sqs.Trigger', { ...queue(), maxRecords: 10 }, context)).toBeUndefined();
});

test('SQS: the realtime trigger starts one execution for each message', async () => {
  const { hidden } = aQueue('{"n":1}', '{"n":2}');
  const events = await listenAws(
    'aws.sqs.RealtimeTrigger',
    { ...queue(), serdeType: 'JSON', waitTime: 'PT1S' },
    2,
  );
  expect(events).toEqual([
    { outputs: { data: { n: 1 }, groupId: 'g' }, key: 'm0' },
    { outputs: { data: { n: 2 }, groupId: 'g' }, key: 'm1' },
  ]);
  // Killed before the second message was deleted: it is redelivered with the same key.
  expect([...hidden.keys()]).toEqual(['receipt m1']);
  aws.respond(() => ({
    status: 400,
    body: { __type: 'com.amazonaws.sqs#QueueDoesNotExist', message: 'no such queue' },
  }));
  await expect(listenAws('aws.sqs.RealtimeTrigger', queue(), 1)).rejects.toThrow(
    'QueueDoesNotExist: no such queue',
  );
});

test('SNS: publishes to a topic and to a phone', async () => {
  const result = '<PublishResponse><PublishResult><MessageId>1</MessageId></PublishResult></PublishResponse>';
  aws.respond(() => ({ body: result }));
  const from = [
    { data: { a: 1 }, subject: 'Hi' },
    { data: 'text', phoneNumber: '+49123' },
  ];
  expect(await runAws('aws.sns.Publish', { ...aws.connection, topicArn: 'arn:t', from })).toEqual({
    messagesCount: 2,
  });
  expect(aws.requests.map(({ body }) => body)).toMatchObject([
    { Action: 'Publish', Version: '2010-03-31', TopicArn: 'arn:t', Message: '{"a":1}', Subject: 'Hi' },
    { PhoneNumber: '+49123', Message: 'text' },
  ]);
  const error =
    '<ErrorResponse><Error><Code>NotFound</Code><Message>Topic does not exist</Message></Error></ErrorResponse>';
  aws.respond(() => ({ status: 404, body: error }));
  await expect(
    runAws('aws.sns.Publish', { ...aws.connection, topicArn: 'arn:t', from: 'x' }),
  ).rejects.toThrow('SNS refused Publish: NotFound: Topic does not exist');
});

test('EventBridge: stores the result of each event and fails when one is refused', async () => {
  aws.respond(({ body }) => ({
    body: {
      FailedEntryCount: 1,
      Entries: (body.Entries as unknown[]).map((_, index) =>
        index === 1 ? { ErrorCode: 'MalformedDetail', ErrorMessage: 'not JSON' } : { EventId: `e${index}` },
      ),
    },
  }));
  const entries = [
    { source: 'orders', detailType: 'created', detail: { id: 1 } },
    { source: 'orders', detail: 'x' },
  ];
  const context = anAwsContext();
  const done = await runAws(
    'aws.eventbridge.PutEvents',
    { ...aws.connection, entries, failOnUnsuccessfulEvents: false },
    context,
  );
  expect(done).toMatchObject({ entryCount: 2, failedEntryCount: 1 });
  expect(await storedRows(context, done.uri)).toEqual([
    { detail: '{"id":1}', source: 'orders', detailType: 'created', eventId: 'e0' },
    { detail: 'x', source: 'orders', errorCode: 'MalformedDetail', errorMessage: 'not JSON' },
  ]);
  await expect(runAws('aws.eventbridge.PutEvents', { ...aws.connection, entries })).rejects.toThrow(
    'EventBridge refused 1 of 2 events: MalformedDetail: not JSON',
  );
});

test('Kinesis: the realtime trigger reads an event stream and continues where it was', async () => {
  const record = (number: number) => ({
    Data: Buffer.from(`data ${number}`).toString('base64'),
    PartitionKey: 'p',
    SequenceNumber: String(number),
    ApproximateArrivalTimestamp: 1_700_000_000,
  });
  aws.respond(({ action }) =>
    action === 'ListShards'
      ? { body: { Shards: [{ ShardId: 's1' }] } }
      : {
          body: Buffer.concat([
            streamEvent('initial-response', {}),
            streamEvent('SubscribeToShardEvent', {
              Records: [record(1), record(2)],
              ContinuationSequenceNumber: '2',
            }),
          ]),
        },
  );
  const input = {
    ...aws.connection,
    streamName: 'orders',
    consumerArn: 'arn:c',
    iteratorType: 'TRIM_HORIZON',
  };
  const context = anAwsContext();
  const events = await listenAws('aws.kinesis.RealtimeTrigger', input, 2, context);
  expect(events[1]).toEqual({
    key: 's1:2',
    outputs: {
      data: 'data 2',
      partitionKey: 'p',
      sequenceNumber: '2',
      shardId: 's1',
      approximateArrivalTimestamp: '2023-11-14T22:13:20.000Z',
    },
  });
  expect(aws.requests.at(-1)?.body).toMatchObject({ StartingPosition: { Type: 'TRIM_HORIZON' } });
  const again = { ...anAwsContext(), memory: context.memory };
  await listenAws('aws.kinesis.RealtimeTrigger', input, 1, again).catch(() => {});
  expect(aws.requests.at(-1)?.body).toMatchObject({
    StartingPosition: { Type: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: '2' },
  });
});

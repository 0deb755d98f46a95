import { batchesOf, defineLogExporter, logExporterExample, text, toLogFile } from '@millrace/plugin-kit';
import { z } from 'zod';
import { AwsError } from '../client/awsClient.ts';
import { connectionProperties } from '../client/connection.ts';
import { openClient } from '../client/openClient.ts';
import { bucketProperty } from '../s3/properties.ts';
import { openS3 } from '../s3/s3.ts';
import { uploadObject } from '../s3/upload.ts';

const exampleOf = (id: string, lines: readonly string[]) =>
  logExporterExample(id, [
    'region: eu-central-1',
    'accessKeyId: "{{ secret(\'AWS_ACCESS_KEY_ID\') }}"',
    'secretKeyId: "{{ secret(\'AWS_SECRET_ACCESS_KEY\') }}"',
    ...lines,
  ]);

const nameNow = (prefix: string): string =>
  `${prefix}${new Date().toISOString().replace(/[:.]/g, '-')}.jsonl`;

export const s3LogExporter = defineLogExporter({
  type: 'aws.s3.LogExporter',
  aliases: ['ee.aws.s3.LogExporter'],
  title: 'Keep the log in S3',
  description:
    'Writes the lines to one object per run, one JSON value a line; without new lines none is written. Returns `size` and `key`.',
  input: () =>
    z.object({
      ...connectionProperties,
      bucket: bucketProperty(),
      logFilePrefix: text()
        .default('millrace-log-')
        .describe('The prefix before the date in the key of an object.'),
    }),
  examples: [
    exampleOf('ship_logs_to_s3', ['type: aws.s3.LogExporter', 'bucket: my-logs', 'logFilePrefix: millrace/']),
  ],
  export: async (context, { bucket, logFilePrefix, ...connection }, lines) => {
    const file = await toLogFile(lines);
    if (!file) return { size: 0 };
    const key = nameNow(logFilePrefix);
    await uploadObject(await openS3(context, connection), {
      bucket,
      key,
      content: file.content,
      headers: { 'content-type': 'application/x-ndjson' },
    });
    return { size: file.size(), key };
  },
});

/** The limits of one request; each event counts 26 bytes more than its text. */
const limits = {
  count: 10_000,
  bytes: 1_000_000,
  sizeOf: (event: { readonly message: string }) => Buffer.byteLength(event.message) + 26,
};
const Refused = z.looseObject({ rejectedLogEventsInfo: z.looseObject({}).nullish() });

export const cloudWatchLogExporter = defineLogExporter({
  type: 'aws.cloudwatch.LogExporter',
  aliases: ['ee.aws.cloudwatch.LogExporter'],
  title: 'Send the log to CloudWatch Logs',
  description:
    'Sends the lines as JSON to a log stream. The group must exist; the stream is created when it does not. Returns `size`.',
  input: () =>
    z.object({
      ...connectionProperties,
      logGroupName: text().describe('The log group, which must exist.'),
      logStreamName: text().describe('The log stream.'),
    }),
  examples: [
    exampleOf('ship_logs_to_cloudwatch', [
      'type: aws.cloudwatch.LogExporter',
      'logGroupName: millrace',
      'logStreamName: production',
    ]),
  ],
  export: async (context, { logGroupName, logStreamName, ...connection }, lines) => {
    const client = await openClient(context, connection, 'logs');
    const place = { logGroupName, logStreamName };
    await client.json('CreateLogStream', place, z.unknown()).catch((error: unknown) => {
      const exists = error instanceof AwsError && error.failure.code === 'ResourceAlreadyExistsException';
      if (!exists) throw error;
    });
    const events = async function* () {
      for await (const line of lines)
        yield { timestamp: Date.parse(String(line.timestamp)) || Date.now(), message: JSON.stringify(line) };
    };
    let size = 0;
    for await (const batch of batchesOf(events(), limits)) {
      const logEvents = [...batch].sort((one, other) => one.timestamp - other.timestamp);
      const { rejectedLogEventsInfo } = await client.json('PutLogEvents', { ...place, logEvents }, Refused);
      if (rejectedLogEventsInfo)
        await context.log('WARN', 'CloudWatch Logs refused lines that are too old or too far in the future.');
      size += batch.length;
    }
    return { size };
  },
});

import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Cases, Running } from './case.ts';
import { asOwner, tables } from './databaseCases.ts';
import type { Handler, Received } from './internet.ts';
import { perform } from './perform.ts';
import type { Services } from './services.ts';
import { smtpEdits } from './smtpEdits.ts';

/** The object store of the test has the bucket `files`. */
async function s3Edits(services: Services, bucket = 'my-bucket') {
  const { endpointOverride } = (await services.s3()).aws;
  return [
    [/( +)region: eu-west-1/g, `$1region: eu-west-1\n$1endpointOverride: ${endpointOverride}`],
    [`bucket: ${bucket}`, 'bucket: files'],
  ] as const;
}

/** Runs a task of S3 on the object store. */
async function onS3(running: Running, tasks: string) {
  const { endpointOverride, accessKeyId, secretKeyId } = (await running.services.s3()).aws;
  const place = `    region: eu-west-1\n    endpointOverride: ${endpointOverride}\n    accessKeyId: ${accessKeyId}\n    secretKeyId: ${secretKeyId}\n    bucket: files\n`;
  return perform(running, tasks.replaceAll('    PLACE\n', place));
}

const keysIn = async (running: Running, prefix: string) =>
  JSON.stringify(
    await onS3(running, `  - id: list\n    type: aws.s3.List\n    PLACE\n    prefix: ${prefix}\n`),
  );

/** The responses of an AWS service by action. */
const actions =
  (replies: Readonly<Record<string, unknown>>): Handler =>
  ({ headers }: Received) => {
    const action = String(headers['x-amz-target']).split('.').at(-1) ?? '';
    const body = replies[action];
    return body === undefined ? { status: 400, body: { message: `no ${action}` } } : { body };
  };

const cells = (...values: string[]) => ({ Data: values.map((VarCharValue) => ({ VarCharValue })) });

const graph = 'https://graph.microsoft.com/v1.0';
const signIn = ({ services: { internet } }: Running) =>
  internet.on(/^POST https:\/\/login\.microsoftonline\.com\//, {
    body: { access_token: 'token1', expires_in: 3600, token_type: 'Bearer' },
  });

/** Blueprints of AWS and Microsoft 365: S3 with a real object store, the other services with doubles. */
export const cloudCases: Cases = {
  'athena-report': {
    edits: smtpEdits,
    before: ({ services }) =>
      services.internet.on(
        /^POST https:\/\/athena\.eu-west-1\.amazonaws\.com\//,
        actions({
          StartQueryExecution: { QueryExecutionId: 'q1' },
          GetQueryExecution: { QueryExecution: { Status: { State: 'SUCCEEDED' }, Statistics: {} } },
          GetQueryResults: {
            ResultSet: {
              Rows: [cells('country', 'amount'), cells('FR', '390')],
              ResultSetMetadata: {
                ColumnInfo: [
                  { Name: 'country', Type: 'varchar' },
                  { Name: 'amount', Type: 'bigint' },
                ],
              },
            },
          },
        }),
      ),
    check: async (_, { services }) => {
      const [mail = ''] = (await services.smtp()).received.slice(-1);
      expect(mail).toContain('Subject: Sales by country');
      expect(mail).toContain('sales.xlsx');
    },
  },
  'backup-to-minio': {
    edits: async (services) => [
      ['https://minio.example.com:9000', (await services.s3()).minio.endpoint],
      ['bucket: backups', 'bucket: files'],
    ],
    check: async (ended, running) => expect(await keysIn(running, 'files/')).toContain(`${ended.id}.tar.gz`),
  },
  'dynamodb-export': {
    before: ({ services: { internet } }) => {
      internet.on(
        /^POST https:\/\/dynamodb\.eu-west-1\.amazonaws\.com\//,
        actions({ Scan: { Items: [{ id: { N: '1' }, name: { S: 'Ada' } }], Count: 1, ScannedCount: 1 } }),
      );
      internet.on(/^PUT https:\/\/.*amazonaws\.com\/.*exports\/orders\.csv$/, { headers: { etag: '"1"' } });
    },
    check: (_, { services }) =>
      expect(services.internet.received.find(({ call }) => call.startsWith('PUT '))?.text).toContain('Ada'),
  },
  'lambda-for-each-file': {
    before: ({ services: { internet } }) => {
      internet.on(/^GET https:\/\/.*s3\.eu-west-1\.amazonaws\.com\//, {
        headers: { 'content-type': 'application/xml' },
        body: '<?xml version="1.0"?><ListBucketResult><Name>my-bucket</Name><IsTruncated>false</IsTruncated><Contents><Key>pictures/a.png</Key><Size>3</Size><ETag>"1"</ETag><LastModified>2026-01-31T08:00:00.000Z</LastModified></Contents><Contents><Key>pictures/b.png</Key><Size>3</Size><ETag>"2"</ETag><LastModified>2026-01-31T08:00:00.000Z</LastModified></Contents></ListBucketResult>',
      });
      internet.on(/^POST https:\/\/lambda\.eu-west-1\.amazonaws\.com\//, { body: { resized: true } });
    },
    check: (_, { services }) =>
      expect(services.internet.bodiesOf(/lambda/)).toEqual(
        expect.arrayContaining([
          { bucket: 'my-bucket', key: 'pictures/a.png' },
          { bucket: 'my-bucket', key: 'pictures/b.png' },
        ]),
      ),
  },
  'query-to-s3': {
    edits: async (services) => [...(await s3Edits(services)), ...(await asOwner(services))],
    before: tables(
      'DROP TABLE IF EXISTS orders',
      'CREATE TABLE orders (id int, created_at timestamptz)',
      'INSERT INTO orders VALUES (1, now())',
    ),
    check: async (_, running) =>
      expect(await keysIn(running, 'orders/')).toMatch(/orders\/\d{4}-\d\d-\d\d\.csv/),
  },
  'queue-in-sqs': {
    before: ({ services: { internet } }) => {
      let isTaken = false;
      const message = { MessageId: 'm1', ReceiptHandle: 'r1', Body: '{"id": 7}', Attributes: {} };
      internet.on(/^POST https:\/\/sqs\.eu-west-1\.amazonaws\.com\//, async (request) => {
        const isReceive = String(request.headers['x-amz-target']).endsWith('.ReceiveMessage');
        if (!isReceive) return { body: { Successful: [] } };
        // An empty queue responds late, as the real one does.
        if (isTaken) await delay(500);
        const body = isTaken ? {} : { Messages: [message] };
        isTaken = true;
        return { body };
      });
      internet.on('POST https://api.example.com/orders/7', { body: {} });
    },
    cause: () => {},
    check: (_, { services }) =>
      expect(services.internet.received.map(({ call }) => call)).toContain(
        'POST https://api.example.com/orders/7',
      ),
  },
  's3-file-arrival': {
    edits: async (services) => [...(await s3Edits(services)), ['interval: PT30S', 'interval: PT1S']],
    before: async (running) => {
      await onS3(
        running,
        '  - id: file\n    type: core.storage.Write\n    extension: .csv\n    content: |\n      id,amount\n      1,90\n  - id: upload\n    type: aws.s3.Upload\n    PLACE\n    key: inbox/orders.csv\n    from: "{{ outputs.file.uri }}"\n',
      );
    },
    cause: () => {},
    check: async (ended, running) => {
      expect(await keysIn(running, 'parquet/')).toContain(`parquet/${ended.id}-0.parquet`);
      expect(await keysIn(running, 'archive')).toContain('orders.csv');
    },
  },
  'files-from-onedrive': {
    edits: async (services) => [...(await asOwner(services)), ['interval: PT5M', 'interval: PT1S']],
    before: async (running) => {
      await tables('DROP TABLE IF EXISTS orders', 'CREATE TABLE orders (id int, country text)')(running);
      signIn(running);
      const { internet } = running.services;
      internet.on(/^GET https:\/\/graph\.microsoft\.com\/v1\.0\/drives\/[^/]+\/root:\/Orders:\/children$/, {
        body: { value: [{ id: 'item1', name: 'orders.csv', size: 3, cTag: '1', file: {} }] },
      });
      internet.on(/\/items\/item1\/content$/, { body: 'id,country\n1,FR\n' });
    },
    cause: () => {},
    check: async (_, { services }) =>
      expect(await (await services.postgres()).query('SELECT * FROM orders')).toEqual([
        { id: 1, country: 'FR' },
      ]),
  },
  'mail-attachments-to-sharepoint': {
    edits: async () => [['interval: PT5M', 'interval: PT1S']],
    before: (running) => {
      signIn(running);
      const { internet } = running.services;
      internet.on(/\/mailFolders\/inbox\/messages$/, {
        body: {
          value: [
            {
              id: 'm1',
              subject: 'Orders',
              hasAttachments: true,
              receivedDateTime: new Date().toISOString(),
              from: { emailAddress: { address: 'ada@example.com', name: 'Ada' } },
              body: { contentType: 'text', content: 'Hi' },
            },
          ],
        },
      });
      internet.on(/\/messages\/m1\/attachments$/, {
        body: {
          value: [
            { '@odata.type': '#microsoft.graph.fileAttachment', id: 'a1', name: 'orders.csv', size: 3 },
          ],
        },
      });
      internet.on(/\/attachments\/a1\/\$value$/, { body: 'a,b' });
      internet.on(/^PUT https:\/\/graph\.microsoft\.com\//, {
        status: 201,
        body: { id: 'i1', name: 'orders.csv' },
      });
    },
    cause: () => {},
    check: (_, { services }) => {
      const [put] = services.internet.received.filter(({ call }) => call.startsWith(`PUT ${graph}`));
      expect([decodeURIComponent(put?.call ?? ''), put?.text]).toEqual([
        expect.stringContaining('Inbox/orders.csv'),
        'a,b',
      ]);
    },
  },
};

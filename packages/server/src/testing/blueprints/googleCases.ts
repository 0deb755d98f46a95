import { setTimeout as delay } from 'node:timers/promises';
import { aRow, FakeBigQuery, FakeStorage, type Handler } from '@millrace/plugin-gcp/testing';
import { expect } from 'vitest';
import type { Case, Cases, Running } from './case.ts';
import { asOwner, tables } from './databaseCases.ts';

type Rows = readonly (readonly unknown[])[];

/** A blueprint that talks to doubles of Google's services, by host. */
const withGoogle = (
  doubles: () => Readonly<Record<string, Handler>>,
  more: Omit<Case, 'before'> & Pick<Case, 'before'>,
): Case => ({
  ...more,
  before: async (running: Running) => {
    const handlers = doubles();
    const { internet } = running.services;
    internet.on(
      /^[A-Z]+ https:\/\/[\w.-]+\.googleapis\.com\//,
      async ({ call, query, headers, bytes, text }) => {
        const [method = '', address = ''] = call.split(' ');
        const { host, pathname: path } = new URL(address);
        const handle = handlers[host];
        if (!handle) return { status: 404, body: `no double of ${host}` };
        const answer = await handle({
          host,
          method,
          path,
          query,
          headers,
          bytes,
          text,
          json: readJson(text),
        });
        return answer === 'silence' ? { status: 503 } : answer;
      },
    );
    internet.on('POST https://oauth2.googleapis.com/token', {
      body: { access_token: 'ya29.token', expires_in: 3600, token_type: 'Bearer' },
    });
    await more.before?.(running);
  },
});

function readJson(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

const bigQuery = (columns: Readonly<Record<string, string>> = {}, rows: Rows = []) =>
  new FakeBigQuery(() => ({
    schema: { fields: Object.entries(columns).map(([name, type]) => ({ name, type, mode: 'NULLABLE' })) },
    rows: rows.map((row) => aRow(...row)),
    statistics: { load: { outputRows: '1' } },
  }));

/** A spreadsheet that keeps the values of its last write. */
function aSpreadsheet() {
  const written: unknown[] = [];
  const handle: Handler = ({ path, json }) => {
    if (!path.includes('/values/')) return { body: { sheets: [{ properties: { title: 'Sales' } }] } };
    const values = (json.values ?? []) as unknown[][];
    written.push(...values);
    const updates = { updatedRange: 'Sales!A1:B2', updatedRows: values.length, updatedColumns: 2 };
    return { body: path.endsWith(':append') ? { updates } : updates };
  };
  return { written, handle };
}

let sheet = aSpreadsheet();
let warehouse = bigQuery();
let storage = new FakeStorage();
let documents: unknown[] = [];

/** Blueprints of Google Cloud and Google Workspace, whose services run nowhere but at Google. */
export const googleCases: Cases = {
  'bigquery-report-in-google-sheets': withGoogle(
    () => {
      sheet = aSpreadsheet();
      warehouse = bigQuery({ customer: 'STRING', total: 'INTEGER' }, [['Ada', '390']]);
      return { 'bigquery.googleapis.com': warehouse.handle, 'sheets.googleapis.com': sheet.handle };
    },
    { check: () => expect(JSON.stringify(sheet.written)).toContain('["Ada",390]') },
  ),
  'check-bigquery-data-and-alert': withGoogle(
    () => ({ 'bigquery.googleapis.com': bigQuery({ broken: 'INTEGER' }, [['2']]).handle }),
    {
      before: ({ services }) => services.internet.on(/^POST https:\/\/chat\.example\.com\//, { body: {} }),
      check: (_, { services }) =>
        expect(services.internet.bodiesOf(/chat\.example\.com/)).toEqual([{ text: '2 orders are broken.' }]),
    },
  ),
  'cloud-storage-files-to-bigquery': withGoogle(
    () => {
      storage = new FakeStorage();
      storage.put('my-bucket', 'inbox/orders.csv', 'id,amount\n1,90\n');
      warehouse = bigQuery();
      return { 'bigquery.googleapis.com': warehouse.handle, 'storage.googleapis.com': storage.handle };
    },
    {
      edits: async () => [['interval: PT1M', 'interval: PT1S']],
      cause: () => {},
      check: () => {
        expect(String(warehouse.uploads[0])).toContain('1,90');
        expect(storage.text('my-bucket', 'archive/orders.csv')).toContain('1,90');
      },
    },
  ),
  'drive-files-to-cloud-storage': withGoogle(
    () => {
      storage = new FakeStorage();
      const file = {
        id: 'f1',
        name: 'orders.csv',
        mimeType: 'text/csv',
        size: '3',
        createdTime: new Date().toISOString(),
        modifiedTime: new Date().toISOString(),
      };
      return {
        'storage.googleapis.com': storage.handle,
        'www.googleapis.com': ({ path, query }) => {
          if (query.get('alt') === 'media') return { body: Buffer.from('a,b') };
          return path.endsWith('/files') ? { body: { files: [file] } } : { body: file };
        },
      };
    },
    {
      edits: async () => [['interval: PT5M', 'interval: PT5S']],
      cause: () => {},
      check: () => expect(storage.text('my-bucket', 'drive/orders.csv')).toBe('a,b'),
    },
  ),
  'export-bigquery-table-every-week': withGoogle(
    () => {
      storage = new FakeStorage();
      storage.put('my-backups', 'orders/2026-11-10/part-0.parquet', 'x');
      warehouse = bigQuery();
      return { 'bigquery.googleapis.com': warehouse.handle, 'storage.googleapis.com': storage.handle };
    },
    {
      check: (ended) => {
        expect(JSON.stringify(warehouse.configurations)).toContain('gs://my-backups/orders/');
        expect(JSON.stringify(ended.output('list'))).toContain('2026-11-10');
      },
    },
  ),
  'postgresql-to-bigquery': withGoogle(
    () => {
      warehouse = bigQuery();
      return { 'bigquery.googleapis.com': warehouse.handle };
    },
    {
      edits: asOwner,
      before: tables(
        'DROP TABLE IF EXISTS orders',
        'CREATE TABLE orders (id int, customer text, amount numeric, created timestamptz)',
        "INSERT INTO orders VALUES (1, 'Ada', 90.5, now())",
      ),
      check: () => expect(String(warehouse.uploads[0])).toContain('Ada'),
    },
  ),
  'pubsub-messages-to-firestore': withGoogle(
    () => {
      documents = [];
      let waiting = [
        { ackId: 'a1', message: { messageId: 'm1', data: Buffer.from('{"order": 7}').toString('base64') } },
      ];
      return {
        'pubsub.googleapis.com': async ({ path }) => {
          if (!path.endsWith(':pull')) return { body: {} };
          // A subscription without messages responds late, as the real one does.
          if (waiting.length === 0) await delay(500);
          const receivedMessages = waiting;
          waiting = [];
          return { body: { receivedMessages } };
        },
        'firestore.googleapis.com': ({ path, json }) => {
          documents.push({ path, json });
          return { body: { name: path, updateTime: '2026-01-31T08:00:00Z', ...json } };
        },
      };
    },
    {
      cause: () => {},
      check: () => {
        expect(JSON.stringify(documents)).toContain('/documents/orders/m1');
        expect(JSON.stringify(documents)).toContain('"order"');
      },
    },
  ),
  'summarize-files-with-gemini': withGoogle(
    () => {
      storage = new FakeStorage();
      storage.put('my-bucket', 'documents/report.pdf', '%PDF');
      sheet = aSpreadsheet();
      return {
        'storage.googleapis.com': storage.handle,
        'sheets.googleapis.com': sheet.handle,
        'europe-west1-aiplatform.googleapis.com': () => ({
          body: {
            candidates: [
              { content: { role: 'model', parts: [{ text: 'All is well.' }] }, finishReason: 'STOP' },
            ],
            usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 3 },
          },
        }),
      };
    },
    {
      cause: () => {},
      check: () => expect(sheet.written).toEqual([['documents/report.pdf', 'All is well.']]),
    },
  ),
};

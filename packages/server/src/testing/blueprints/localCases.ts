import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ZipFile } from 'yazl';
import type { Cases } from './case.ts';

const csv = (content: string) => ({ fileName: 'data.csv', content });
const orders = 'id,country,amount,day\n1,FR,90.50,2026-11-16\n2, de ,200,2026-11-17\n3,FR,-3,2026-11-17\n';

/** Where certificates of this machine are, for package managers that bring their own. */
const certificates = ['SSL_CERT_FILE'].filter((name) => process.env[name]);

/** Blueprints that need nothing but the product and this machine. */
export const localCases: Cases = {
  'approve-before-release': {
    resume: { version: '1.5.0' },
    check: ({ messages }) => expect(messages).toContain('Releasing 1.5.0'),
  },
  'backup-folder': {
    edits: async (services) => {
      const folder = services.folder();
      mkdirSync(join(folder, 'source'));
      writeFileSync(join(folder, 'source', 'a.txt'), 'a');
      return [
        ['source: /etc', `source: ${folder}/source`],
        ['target: /var/tmp/backups', `target: ${folder}/target`],
      ];
    },
    check: (ended) =>
      expect(existsSync(String((ended.output('pack').vars as Record<string, unknown>).file))).toBe(true),
  },
  'batch-a-file': { check: ({ messages }) => expect(messages).toContain('10 parts were added up') },
  'check-disk-space': { inputs: { limit: '100' } },
  'clean-csv': {
    check: async (ended) =>
      expect(String(await ended.file(ended.outputs.file))).toBe('id,city\n1,Lima\n2,Pune\n3,Oslo\n'),
  },
  'clean-rows-with-python': {
    inputs: { orders: csv(orders) },
    check: async (ended) => {
      const text = String(await ended.file(ended.output('csv').uri));
      expect(text).toContain('DE');
      expect(text.trim().split('\n')).toHaveLength(3);
    },
  },
  'csv-to-parquet': {
    inputs: { orders: csv(orders) },
    check: (ended) => expect(ended.output('parquet')).toMatchObject({ size: 3 }),
  },
  'daily-report': { check: ({ messages }) => expect(messages.join()).toMatch(/\| processes \| \d+ \|/) },
  'dependencies-with-dag': { check: ({ messages }) => expect(messages).toContain('published') },
  'encrypted-archive': {
    inputs: { report: csv('a,b\n'), details: csv('c,d\n') },
    check: async (ended) =>
      expect((await ended.file(ended.output('encrypt').uri)).length).toBeGreaterThan(50),
  },
  'errors-in-access-log': {
    inputs: {
      log: {
        fileName: 'access.log',
        content: [
          '10.0.0.1 - - [17/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 12',
          '10.0.0.1 - - [17/Nov/2026:10:00:01 +0000] "GET /b HTTP/1.1" 503 12',
          '10.0.0.2 - - [17/Nov/2026:10:00:02 +0000] "GET /b HTTP/1.1" 500 12',
        ].join('\n'),
      },
    },
    check: (ended) => expect(ended.output('by_path').records).toEqual([{ request: '/b', errors: 2 }]),
  },
  'excel-report': {
    inputs: { orders: csv(orders) },
    check: async (ended) =>
      expect((await ended.file(ended.output('workbook').uri)).subarray(0, 2).toString()).toBe('PK'),
  },
  'fan-out-and-join': {
    check: ({ outputs }) => expect(outputs).toEqual({ sentence: 'WATER WHEEL STONE FLOUR' }),
  },
  'filter-and-deduplicate': {
    check: ({ messages }) => {
      expect(messages.join()).toContain('kept 1 of 4');
      expect(messages.join()).toContain('450');
    },
  },
  'handle-failures': { state: 'WARNING' },
  'join-files-with-duckdb': {
    check: (ended) => expect(JSON.stringify(ended.output('join'))).toContain('France'),
  },
  'one-at-a-time': { check: ({ messages }) => expect(messages).toContain('the next one may come') },
  'purge-old-executions': {
    check: ({ messages }) => expect(messages.join()).toMatch(/\d+ executions and \d+ log lines are gone/),
  },
  'python-with-packages': {
    missing: process.env.MILLRACE_TEST_REGISTRIES ? undefined : 'PyPI was not found',
    edits: async () =>
      certificates.map(
        (name) => ['dependencies:', `env: {${name}: "${process.env[name]}"}\n    dependencies:`] as const,
      ),
    check: ({ messages }) => expect(messages).toContain('2026-02-03T14:30:00'),
  },
  'receive-a-webhook': {
    cause: async ({ server, namespace, flowId }) => {
      const path = `/executions/webhook/${namespace}/${flowId}/change-me-to-something-long`;
      await server.call('POST', path, {
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify({ event: 'created', name: 'Ada' }),
      });
    },
    check: ({ messages }) => expect(messages).toContain('Welcome Ada'),
  },
  'remember-the-last-run': {
    check: (ended) => expect(ended.output('work').vars).toEqual({ position: 10 }),
  },
  'report-as-sqlite-file': {
    check: ({ messages }) => expect(messages.join()).toMatch(/^200 in /m),
  },
  'run-after-others': {
    cause: async ({ server }) => {
      for (const id of ['orders', 'customers']) {
        await server.saveFlow(
          `id: ${id}\nnamespace: company.data\ntasks:\n  - id: a\n    type: core.log.Log\n    message: a\n`,
        );
        await server.call('POST', `/executions/company.data/${id}`);
      }
    },
    check: ({ messages }) => expect(messages).toContain('both are there'),
  },
  'unpack-and-load': {
    inputs: {
      archive: {
        fileName: 'orders.zip',
        content: await zipOf({ 'a.csv': 'id\n1\n2\n', 'b.csv': 'id\n3\n' }),
      },
    },
    check: ({ messages }) =>
      expect(messages).toEqual(expect.arrayContaining(['a.csv: 2 rows', 'b.csv: 1 rows'])),
  },
  'wait-until-ready': { check: ({ messages }) => expect(messages).toContain('ready') },
};

async function zipOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

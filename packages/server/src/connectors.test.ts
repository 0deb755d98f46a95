import { createSocket } from 'node:dgram';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { defineTask, type TaskContext } from '@millrace/plugin-kit';
import { freePort, startSshServer } from '@millrace/plugin-kit/testing';
import { families } from '@millrace/plugins';
import { canRun, createFullCatalogue, firstOfEachGroup } from '@millrace/plugins/testing';
import { createTestDatabase, temporaryFolder } from '@millrace/store/suite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { definitions, polls, trigger } from './scheduler/testing/pollingTriggers.ts';
import { sharedServer, stateOf, taskRunsOf } from './testing/aServer.ts';
import { sqlite } from './testing/databases.ts';
import { startMailServer } from './testing/mailServer.ts';
import { type Reached, reachOut } from './testing/reachOut.ts';

/** The families that test servers lack. */
const connectors = families
  .filter(({ name }) => name !== 'core' && name !== 'scripts')
  .flatMap(({ types }) => types);

/** Runs the function of a test with the context that the server gives to a task. */
let inTask: (context: TaskContext) => Promise<void> = async () => {};
const probe = defineTask({
  type: 'test.Probe',
  title: 'For tests',
  description: 'For tests',
  examples: [],
  input: z.object({}),
  sideEffects: true,
  output: z.object({}),
  run: async (context) => {
    await inTask(context);
    return {};
  },
});

const shared = sharedServer(sqlite, { definitions: [...connectors, ...definitions, probe] });

const orders = ['id,country,amount', '1,FR,90.50', '2,"DE",200', '3,FR,300', '4,"IT, south",9.99'].join('\n');

it('a flow loads a CSV from SFTP into PostgreSQL, queries it with DuckDB, writes Parquet, mails and posts it', async () => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  mkdirSync(join(folder.path, 'drop'));
  writeFileSync(join(folder.path, 'drop', 'orders.csv'), `${orders}\n`);
  const [ssh, database, mail, chat] = await Promise.all([
    startSshServer(),
    createTestDatabase(),
    startMailServer(),
    startChat(),
  ]);
  onTestFinished(async () => {
    await Promise.all([ssh.stop(), database.drop(), mail.stop(), chat.stop()]);
  });
  const { hostname, port, pathname, username, password } = new URL(database.url);
  const postgres = `url: "jdbc:postgresql://${hostname}:${port}${pathname}"
    username: "${decodeURIComponent(username)}"
    password: "${decodeURIComponent(password)}"`;
  await shared().saveFlow(`id: file_drop
namespace: company.team
tasks:
  - id: download
    type: io.kestra.plugin.fs.sftp.Download
    host: 127.0.0.1
    port: "${ssh.port}"
    username: ${ssh.username}
    keyfile: |
${ssh.privateKey.replace(/^/gm, '      ').trimEnd()}
    rootDir: false
    from: ${join(folder.path, 'drop', 'orders.csv')}
  - id: create
    type: io.kestra.plugin.jdbc.postgresql.Queries
    ${postgres}
    sql: CREATE TABLE orders (id int, country text, amount numeric(10, 2));
  - id: load
    type: io.kestra.plugin.jdbc.postgresql.CopyIn
    ${postgres}
    from: "{{ outputs.download.to }}"
    table: orders
    format: CSV
    header: true
  - id: read
    type: io.kestra.plugin.jdbc.postgresql.CopyOut
    ${postgres}
    sql: SELECT * FROM orders WHERE amount > 10
    format: CSV
    header: true
  - id: sum
    type: io.kestra.plugin.jdbc.duckdb.Query
    inputFiles:
      orders.csv: "{{ outputs.read.uri }}"
    sql: |
      SELECT country, sum(amount)::DOUBLE AS total, count(*) AS orders
      FROM read_csv_auto('{{ workingDir }}/orders.csv') GROUP BY country ORDER BY country
    fetchType: STORE
  - id: parquet
    type: io.kestra.plugin.serdes.parquet.IonToParquet
    from: "{{ outputs.sum.uri }}"
    schema: |
      {"type": "record", "name": "total", "fields": [
        {"name": "country", "type": "string"}, {"name": "total", "type": "double"}, {"name": "orders", "type": "long"}]}
  - id: rows
    type: io.kestra.plugin.serdes.parquet.ParquetToIon
    from: "{{ outputs.parquet.uri }}"
  - id: mail
    type: io.kestra.plugin.notifications.mail.MailSend
    host: 127.0.0.1
    port: ${mail.port}
    transportStrategy: SMTP
    from: millrace@example.com
    to: ada@example.com
    subject: "Orders of {{ outputs.load.rowCount }} customers"
    htmlTextContent: "<p>{{ read(outputs.rows.uri) }}</p>"
    attachments:
      - name: totals.parquet
        uri: "{{ outputs.parquet.uri }}"
  - id: chat
    type: io.kestra.plugin.notifications.slack.SlackIncomingWebhook
    url: ${chat.url}
    payload: |
      {"text": "{{ outputs.load.rowCount }} orders loaded"}
`);
  const execution = await shared().run('file_drop');
  const logs = await shared().call('GET', `/logs/${execution.id}`);
  expect([stateOf(execution), stateOf(execution) === 'SUCCESS' ? [] : logs.body]).toEqual(['SUCCESS', []]);
  expect(taskRunsOf(execution).map(({ taskId }) => taskId)).toHaveLength(9);
  expect(chat.received).toEqual([{ text: '4 orders loaded' }]);
  const [message = ''] = mail.received;
  expect(message).toContain('Subject: Orders of 4 customers');
  expect(message).toContain('filename=totals.parquet');
  const shown = Buffer.from(message, 'utf8').toString('utf8').replaceAll('=\r\n', '').replaceAll('=3D', '=');
  expect(shown).toMatch(/FR.*390\.5.*DE|DE.*200.*FR.*390\.5/s);
});

describe('with the context of the server', () => {
  const catalogue = createFullCatalogue();
  const types = catalogue.definitions().filter((definition) => canRun(definition) && !definition.isInner);
  const triggers = types.filter(({ kind }) => kind === 'trigger');
  /** One of each group, because the tasks of a group connect in the same way. */
  const tasks = firstOfEachGroup(
    catalogue,
    types.filter(({ kind }) => kind === 'task'),
    1,
  );
  /** A port where nothing listens. */
  const closed = 9;
  const mistakes = (reached: readonly Reached[]) =>
    reached.filter(({ isMistake }) => isMistake).map(({ type, end }) => `${type}: ${end}`);

  it('every trigger type connects to its service', async () => {
    let reached: readonly Reached[] = [];
    polls.set('all', async (context) => {
      reached = await reachOut(triggers, context, closed);
      return { done: true };
    });
    await shared().saveFlow(
      `id: all_triggers\nnamespace: company.team\ntasks:\n  - {id: show, type: core.log.Log, message: done}\n${trigger('Poll', 'all')}`,
    );
    await expect.poll(() => reached.length, { timeout: 120_000 }).toBe(triggers.length);
    polls.clear();
    expect(mistakes(reached)).toEqual([]);
    // On a busy machine some are stopped before they connect; what ended by itself did not try.
    const inside = reached
      .filter(({ isOut, end }) => !isOut && end !== undefined)
      .map(({ type, end }) => `${type}: ${end}`);
    expect(inside.filter((line) => !staysInside.test(line))).toEqual([]);
  }, 150_000);

  it('a task of every group connects to its service', async () => {
    let reached: readonly Reached[] = [];
    inTask = async (context) => {
      reached = await reachOut(tasks, context, closed);
    };
    await shared().saveFlow(
      'id: all_tasks\nnamespace: company.team\ntasks:\n  - {id: probe, type: test.Probe}\n',
    );
    expect(stateOf(await shared().run('all_tasks'))).toBe('SUCCESS');
    expect(reached).toHaveLength(tasks.length);
    expect(mistakes(reached)).toEqual([]);
  }, 150_000);

  it('a datagram starts an execution', async () => {
    const port = await freePort();
    await shared().saveFlow(`id: on_datagram
namespace: company.team
tasks:
  - {id: show, type: core.log.Log, message: "{{ trigger.payload }}"}
triggers:
  - {id: listen, type: fs.udp.RealtimeTrigger, host: 127.0.0.1, port: ${port}}
`);
    const socket = createSocket('udp4');
    onTestFinished(() => void socket.close());
    const found = async () => {
      // Datagrams are lost until the trigger listens.
      socket.send('hello', port, '127.0.0.1');
      const { body } = await shared().call('GET', '/executions/search?flowId=on_datagram');
      return (body.results as { trigger?: { variables?: unknown } }[])[0]?.trigger?.variables;
    };
    await expect
      .poll(found, { timeout: 60_000 })
      .toMatchObject({ payload: 'hello', sourceIp: '127.0.0.1', sourcePort: expect.any(Number) });
    await shared().call('DELETE', '/flows/company.team/on_datagram');
  });
});

/** Triggers that listen or compute, and those that say why they cannot connect. */
const staysInside =
  /^(core|datagen|fs\.(udp|tcp))\.|cannot be (reached from this server|captured)|Files of the worker are closed|secureBundle/;

async function startChat() {
  const received: unknown[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      received.push(JSON.parse(Buffer.concat(chunks).toString('utf8')));
      response.end('ok');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}/services/x`, received, stop };
}

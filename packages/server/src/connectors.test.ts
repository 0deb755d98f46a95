import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startSshServer } from '@millrace/plugin-kit/testing';
import { families } from '@millrace/plugins';
import { createTestDatabase, temporaryFolder } from '@millrace/store/suite';
import { expect, it, onTestFinished } from 'vitest';
import { sharedServer, stateOf, taskRunsOf } from './testing/aServer.ts';
import { sqlite } from './testing/databases.ts';
import { startMailServer } from './testing/mailServer.ts';

/** The families that test servers lack. */
const connectors = families
  .filter(({ name }) => name !== 'core' && name !== 'scripts')
  .flatMap(({ types }) => types);

const shared = sharedServer(sqlite, { definitions: connectors });

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

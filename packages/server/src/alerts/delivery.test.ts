import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { families } from '@millrace/plugins';
import { SMTPServer } from 'smtp-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { aReceiver } from '../testing/aReceiver.ts';
import { aServer, type TestServer } from '../testing/aServer.ts';
import { databases, sqlite } from '../testing/databases.ts';

const failing = aFlow(
  'broken',
  'tasks:\n  - { id: read, type: core.execution.Fail, errorMessage: no rows }\n',
);
const key = Buffer.alloc(32, 7).toString('base64');
const settings = { encryption: { secretKey: key } };

async function anAlert(server: TestServer, channel: object, rule: object = {}): Promise<void> {
  const put = async (path: string, payload: object) => {
    const { status, body } = await server.call('PUT', path, { payload });
    if (status !== 200) throw new Error(JSON.stringify(body));
  };
  await put('/alerts/channels/c', { id: 'c', ...channel });
  await put('/alerts/rules/r', { id: 'r', when: { type: 'state' }, channels: ['c'], ...rule });
}

/** A port that accepts requests and never responds. */
async function aHangingReceiver() {
  let requests = 0;
  const server = createServer((request) => {
    request.resume();
    request.on('end', () => {
      requests += 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // `as`: it listens on a port.
  return { url: `http://127.0.0.1:${port}`, requests: () => requests };
}

describe.each(databases)('a message on $name', (database) => {
  it('O-8.11 that was being sent when the server stopped is sent by the next process', async () => {
    let ahead = 0;
    const server = await aServer(database, { settings, clock: () => Date.now() + ahead });
    const [hanging, receiver] = [await aHangingReceiver(), await aReceiver()];
    await server.saveFlow(failing);
    await anAlert(server, { type: 'webhook', url: hanging.url });
    await server.run('broken');
    await expect.poll(hanging.requests).toBe(1);
    await server.reopen();
    await anAlert(server, { type: 'webhook', url: receiver.url });
    ahead += 60_000;
    server.product.alerts.sender.wake();
    await expect.poll(() => receiver.received.length).toBe(1);
    await server.product.alerts.settle();
    expect(receiver.received).toHaveLength(1);
  });

  it('is lost or repeated for no failure while the database is away at times', async () => {
    const server = await aServer(database, { settings, faults: 7 });
    const { received, url } = await aReceiver();
    await server.saveFlow(failing);
    await anAlert(server, { type: 'webhook', url }, { groupBy: 'none' });
    const started: string[] = [];
    for (let round = 0; round < 6; round++) {
      const runs = await Promise.all([1, 2, 3, 4].map(() => server.run('broken')));
      started.push(...runs.map(({ id }) => id));
    }
    await expect.poll(() => received.length).toBeGreaterThanOrEqual(started.length);
    const told = received.map(({ body }) => (body.incident as { executionId: string }).executionId);
    expect(told.sort()).toEqual(started.sort());
  });

  it('O-8.6 O-8.7 waits for the end of its quiet hours, and tells then that the flow has recovered', async () => {
    let ahead = 0;
    const server = await aServer(database, { settings, clock: () => Date.now() + ahead });
    const { received, url } = await aReceiver();
    await server.saveFlow(failing);
    await anAlert(server, { type: 'slack', url });
    const hour = (at: number) => new Date(Date.now() + at * 3_600_000).toISOString().slice(11, 16);
    const quietHours = { from: hour(-1), to: hour(2) };
    await server.call('PUT', '/alerts/rules/r', {
      payload: { id: 'r', when: { type: 'state' }, channels: ['c'], quietHours },
    });
    const { id } = await server.run('broken');
    const open = async () => (await server.call('GET', '/alerts/incidents')).body.results;
    await expect.poll(open).toHaveLength(1);
    await server.call('POST', `/executions/${id}/change-status?status=SUCCESS`);
    ahead += 60_000;
    await expect
      .poll(async () => {
        await server.product.alerts.evaluator.runRound();
        return open();
      })
      .toEqual([]);
    expect(received).toEqual([]);
    ahead += 3 * 3_600_000;
    server.product.alerts.sender.wake();
    await expect.poll(() => received.length).toBe(1);
    expect(received[0]?.body.text).toBe('Recovered: company.team.broken (was FAILED)');
  });
});

it('O-8.1 a mail channel sends one mail with a stable message id', async () => {
  const mails: string[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _, callback) => {
      let text = '';
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString('utf8');
      });
      stream.on('end', () => {
        mails.push(text);
        callback(null);
      });
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => smtp.close(() => resolve())));
  const { port } = smtp.server.address() as AddressInfo; // `as`: it listens on a port.
  const definitions = families.filter(({ name }) => name === 'email').flatMap(({ types }) => types);
  const server = await aServer(sqlite, { definitions });
  await server.saveFlow(failing);
  const mail = {
    type: 'mail',
    host: '127.0.0.1',
    port,
    transport: 'SMTP',
    from: 'a@example.com',
    to: ['b@example.com'],
  };
  await anAlert(server, mail);
  await server.run('broken');
  await expect.poll(() => mails.length).toBe(1);
  expect(mails[0]).toContain('Subject: company.team.broken is FAILED');
  expect(mails[0]).toMatch(/Message-ID: <\w+@millrace>/);
  expect(mails[0]).toContain('no rows');
});

import { createHash } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { aTaskContext, realNetwork, runType } from '@millrace/plugin-kit/testing';
import { expect, onTestFinished, test } from 'vitest';
import { faktoryPush } from './faktory.ts';

/** Faktory as a client sees it: a greeting with a salt, a login, and jobs. */
async function aFaktory(password: string) {
  const jobs: unknown[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write('+HI {"v":2,"s":"salt","i":3}\r\n');
    createInterface({ input: socket }).on('line', (line) => {
      const [command, ...rest] = line.split(' ');
      const body = rest.length > 0 ? JSON.parse(rest.join(' ')) : undefined;
      if (command === 'HELLO') {
        let hash = createHash('sha256').update(`${password}salt`).digest();
        for (const _ of [1, 2]) hash = createHash('sha256').update(hash).digest();
        socket.write(body.pwdhash === hash.toString('hex') ? '+OK\r\n' : '-ERR Invalid password\r\n');
      } else if (command === 'PUSH') {
        jobs.push(body);
        socket.write(body.jobtype === '' ? '-ERR job must have a jobtype\r\n' : '+OK\r\n');
      } else socket.end('+OK\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo; // a server that listens on a port
  return { jobs, place: { host: '127.0.0.1', port } };
}

test('a job is stored with its settings, and a wrong password or job is named', async () => {
  const { jobs, place } = await aFaktory('secret');
  const push = (properties: object) =>
    runType(faktoryPush, { ...place, password: 'secret', ...properties }, aTaskContext(realNetwork()));
  const job = {
    jobType: 'SendMail',
    args: ['ada'],
    jobId: 'j1',
    at: '2026-01-31T00:00:00Z',
    custom: { a: 1 },
  };
  expect(await push(job)).toEqual({ jid: 'j1' });
  expect(jobs).toEqual([
    {
      jid: 'j1',
      jobtype: 'SendMail',
      args: ['ada'],
      queue: 'default',
      retry: 25,
      reserve_for: 1800,
      at: '2026-01-31T00:00:00.000Z',
      custom: { a: 1 },
    },
  ]);
  await expect(push({ ...job, password: 'wrong' })).rejects.toThrow('Invalid password');
  await expect(push({ ...job, password: undefined })).rejects.toThrow('wants a password');
  await expect(push({ ...job, port: 1 })).rejects.toThrow('Faktory on 127.0.0.1:1');
});

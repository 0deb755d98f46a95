import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { TaskDefinition, TriggerDefinition } from '@millrace/plugin-kit';
import { readInput } from '@millrace/plugin-kit';
import { freePort, realNetwork, runType } from '@millrace/plugin-kit/testing';
import { expect, onTestFinished, test } from 'vitest';
import { anFsContext } from '../testing/fsContext.ts';
import { tcpTypes } from './tcp.ts';
import { udpTypes } from './udp.ts';

// `as`: each list has a task and then a trigger.
const [tcpSend, tcpTrigger] = tcpTypes as [TaskDefinition, TriggerDefinition];
const [udpSend, udpTrigger] = udpTypes as [TaskDefinition, TriggerDefinition];

test('data is sent over TCP, as text and as bytes', async () => {
  const received: string[] = [];
  const server = createServer((socket) =>
    socket.on('data', (chunk) => void received.push(chunk.toString('hex'))),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const to = { host: '127.0.0.1', port };
  expect(await runType(tcpSend, { ...to, payload: 'héllo' }, anFsContext())).toEqual({ ...to, sentBytes: 6 });
  await runType(tcpSend, { ...to, payload: 'AP8=', encoding: 'BASE64' }, anFsContext());
  await expect.poll(() => received).toEqual([Buffer.from('héllo').toString('hex'), '00ff']);
  const closed = anFsContext(realNetwork({ denyPrivate: true }));
  await expect(runType(tcpSend, { ...to, payload: 'x' }, closed)).rejects.toThrow('outbound policy');
  await expect(runType(udpSend, { ...to, payload: 'x' }, closed)).rejects.toThrow('outbound policy');
});

test('what a TCP client sends starts an execution, until the trigger is stopped', async () => {
  const context = anFsContext();
  const port = await freePort();
  const events: Readonly<Record<string, unknown>>[] = [];
  const input = readInput(tcpTrigger.type, tcpTrigger.input, { host: '127.0.0.1', port });
  const listening = tcpTrigger.listen?.(context, input, async (event) => void events.push(event));
  const send = () => runType(tcpSend, { host: '127.0.0.1', port, payload: 'hello' }, anFsContext());
  await expect
    .poll(() =>
      send().then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  await expect.poll(() => events).toMatchObject([{ payload: 'hello', sourceIp: '127.0.0.1' }]);
  context.kill();
  await listening;
});

test('datagrams are sent and start executions', async () => {
  const context = anFsContext();
  const probe = createSocket('udp4');
  probe.bind(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  await new Promise<void>((resolve) => probe.close(resolve));
  const events: Readonly<Record<string, unknown>>[] = [];
  const input = readInput(udpTrigger.type, udpTrigger.input, { host: '127.0.0.1', port, bufferSize: 4 });
  const listening = udpTrigger.listen?.(context, input, async (event) => void events.push(event));
  await expect
    .poll(async () => {
      await runType(udpSend, { host: '127.0.0.1', port, payload: 'hello' }, anFsContext());
      return events.length;
    })
    .toBeGreaterThan(0);
  expect(events[0]).toMatchObject({ payload: 'hell', sourceIp: '127.0.0.1' });
  context.kill();
  await listening;
});

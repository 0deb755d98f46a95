import { createSocket } from 'node:dgram';
import { isIP } from 'node:net';
import {
  type Definition,
  defineTask,
  defineTrigger,
  integer,
  type TaskContext,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { encodingProperty, toBytes, toText } from './encoding.ts';
import { messageOutput, sentOutput } from './outputs.ts';

const send = defineTask({
  type: 'fs.udp.Send',
  title: 'Send a UDP datagram',
  description: 'Sends the payload in one datagram. UDP does not say whether it arrives.',
  input: () =>
    z.object({
      host: text().describe('The server.'),
      port: integer({ min: 1, max: 65_535 }).describe('Its port.'),
      payload: text().describe('What to send.'),
      encoding: encodingProperty(),
    }),
  output: sentOutput,
  sideEffects: true,
  examples: [
    {
      title: 'Send a metric.',
      runs: false,
      code: `id: udp_send
namespace: company.team

tasks:
  - id: send
    type: fs.udp.Send
    host: statsd.example.com
    port: 8125
    payload: "deployments:1|c"
`,
    },
  ],
  async run(context, { host, port, payload, encoding }) {
    const bytes = toBytes(payload, encoding);
    const address = await addressOf(context, host);
    const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4');
    try {
      await new Promise<void>((resolve, reject) =>
        socket.send(bytes, port, address, (error) => (error ? reject(error) : resolve())),
      );
    } finally {
      socket.close();
    }
    return { host, port, sentBytes: bytes.length };
  },
});

/** The address of a host that the outbound policy allows. */
async function addressOf(context: TaskContext, host: string): Promise<string> {
  await context.mayReach(`http://${host.includes(':') ? `[${host}]` : host}`);
  if (isIP(host)) return host;
  return new Promise((resolve, reject) =>
    context.lookup(host, {}, (error, address) => (error ? reject(error) : resolve(String(address)))),
  );
}

const listen = defineTrigger({
  type: 'fs.udp.RealtimeTrigger',
  role: 'realtime',
  title: 'Start for every UDP datagram',
  description:
    'Listens on a port of the server that evaluates triggers. Every datagram starts one execution.',
  input: () =>
    z.object({
      host: text().default('0.0.0.0').describe('The address to listen on; `0.0.0.0` is all of them.'),
      port: integer({ min: 0, max: 65_535 }).describe('The port to listen on.'),
      bufferSize: integer({ min: 1 }).default(1024).describe('Longer datagrams are cut to this many bytes.'),
      encoding: encodingProperty(),
    }),
  output: messageOutput,
  examples: [
    {
      title: 'Log every datagram.',
      runs: false,
      code: `id: udp_listen
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "{{ trigger.payload }}"

triggers:
  - id: listen
    type: fs.udp.RealtimeTrigger
    port: 9001
`,
    },
  ],
  listen: (context, { host, port, bufferSize, encoding }, emit) =>
    new Promise<void>((resolve, reject) => {
      const socket = createSocket(isIP(host) === 6 ? 'udp6' : 'udp4');
      const stop = (error?: Error) => socket.close(() => (error ? reject(error) : resolve()));
      socket.once('error', reject);
      socket.on('message', (message, { address: sourceIp, port: sourcePort }) => {
        const payload = toText(message.subarray(0, bufferSize), encoding);
        emit({ payload, timestamp: new Date().toISOString(), sourceIp, sourcePort }).catch(stop);
      });
      socket.bind(port, host);
      context.signal.addEventListener('abort', () => stop(), { once: true });
    }),
});

export const udpTypes: readonly Definition[] = [send, listen];

import { createServer } from 'node:net';
import { type Definition, defineTask, defineTrigger, integer, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { encodingProperty, toBytes, toText } from './encoding.ts';
import { messageOutput, sentOutput } from './outputs.ts';

const maxPayloadBytes = 16 * 1024 * 1024;

const send = defineTask({
  type: 'fs.tcp.Send',
  title: 'Send data over TCP',
  description: 'Connects to a server, sends the payload and closes the connection.',
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
      title: 'Send a line.',
      runs: false,
      code: `id: tcp_send
namespace: company.team

tasks:
  - id: send
    type: fs.tcp.Send
    host: collector.example.com
    port: 9000
    payload: "deployed {{ flow.id }}\\n"
    timeout: PT10S
`,
    },
  ],
  async run(context, { host, port, payload, encoding }) {
    const bytes = toBytes(payload, encoding);
    const socket = await context.connect({ host, port });
    const stop = () => socket.destroy(new Error('The task was stopped.'));
    context.signal.addEventListener('abort', stop, { once: true });
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once('error', reject).once('close', () => resolve());
        socket.resume();
        socket.end(bytes, () => socket.destroySoon());
      });
      context.signal.throwIfAborted();
      return { host, port, sentBytes: bytes.length };
    } finally {
      context.signal.removeEventListener('abort', stop);
      socket.destroy();
    }
  },
});

const listen = defineTrigger({
  type: 'fs.tcp.RealtimeTrigger',
  role: 'realtime',
  title: 'Start for everything that arrives over TCP',
  description: `Listens on a port of the server that evaluates triggers. Everything that a client sends until it closes its connection starts one execution.
A client that sends more than 16 MB is cut off.`,
  input: () =>
    z.object({
      host: text().default('0.0.0.0').describe('The address to listen on; `0.0.0.0` is all of them.'),
      port: integer({ min: 0, max: 65_535 }).describe('The port to listen on.'),
      encoding: encodingProperty(),
    }),
  output: messageOutput,
  examples: [
    {
      title: 'Log what arrives.',
      runs: false,
      code: `id: tcp_listen
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "{{ trigger.sourceIp }} says {{ trigger.payload }}"

triggers:
  - id: listen
    type: fs.tcp.RealtimeTrigger
    port: 9000
`,
    },
  ],
  listen: (context, { host, port, encoding }, emit) =>
    new Promise<void>((resolve, reject) => {
      const server = createServer((socket) => {
        const chunks: Buffer[] = [];
        let size = 0;
        const { remoteAddress: sourceIp = '', remotePort: sourcePort = 0 } = socket;
        socket.on('error', () => {});
        socket.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > maxPayloadBytes) socket.destroy();
          else chunks.push(chunk);
        });
        socket.on('end', () => {
          if (size === 0) return;
          const payload = toText(Buffer.concat(chunks), encoding);
          const timestamp = new Date().toISOString();
          emit({ payload, timestamp, sourceIp, sourcePort }).catch(stop);
        });
        context.signal.addEventListener('abort', () => socket.destroy(), { once: true });
      });
      const stop = (error?: Error) => {
        server.close(() => (error ? reject(error) : resolve()));
      };
      server.once('error', reject);
      server.listen(port, host);
      context.signal.addEventListener('abort', () => stop(), { once: true });
    }),
});

export const tcpTypes: readonly Definition[] = [send, listen];

import { createHash, randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { hostname } from 'node:os';
import { createInterface } from 'node:readline';
import { connect as connectTls } from 'node:tls';
import {
  anything,
  dateTime,
  defineTask,
  duration,
  flag,
  integer,
  listOf,
  mapOf,
  messageOf,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';

/*
 * Jobs for Faktory. Its protocol is that of Redis in its simplest form: lines of text, and replies that begin with `+`,
 * `-` or `$`. There is no maintained client for Node.
 */

const connectTimeoutMs = 10_000;
const replyTimeoutMs = 10_000;

export const faktoryPush = defineTask({
  type: 'faktory.Push',
  title: 'Push a job to Faktory',
  description: 'Gives a job to Faktory, now or at a later date. The task ends when Faktory has stored it.',
  input: () =>
    z.object({
      host: text().default('localhost').describe('The host of the server.'),
      port: integer({ min: 1, max: 65_535 }).default(7419).describe('The port of the server.'),
      password: text().optional().describe('The password.'),
      tls: flag().default(false).describe('Encrypt the connection.'),
      jobType: text().describe('The type of the job, which finds its worker.'),
      args: listOf(anything()).default([]).describe('The arguments of the job.'),
      queue: text().default('default').describe('The queue.'),
      at: dateTime().optional().describe('When the job is due; now when absent.'),
      retries: integer().default(25).describe('How often a failed job is tried again.'),
      reserveFor: duration().prefault('PT30M').describe('How long a worker may take; at least a minute.'),
      jobId: text().optional().describe('The id of the job; a random one when absent.'),
      custom: mapOf(anything()).optional().describe('More data for workers and plugins.'),
    }),
  output: () => z.object({ jid: z.string().describe('The id of the job.') }),
  sideEffects: true,
  examples: [
    {
      title: 'Send a mail in an hour.',
      runs: false,
      code: `id: faktory_push
namespace: company.team

tasks:
  - id: push
    type: faktory.Push
    host: faktory.example.com
    password: "{{ secret('FAKTORY_PASSWORD') }}"
    jobType: SendMail
    args:
      - ada@example.com
    at: "{{ now() | dateAdd(1, 'HOURS') }}"
`,
    },
  ],
  run: async (context, { host, port, password, tls, at, reserveFor, ...job }) => {
    if (password !== undefined) context.masker.add(password);
    const jid = job.jobId ?? randomBytes(12).toString('hex');
    try {
      const socket = await connect(context, { host, port, tls });
      try {
        await push(socket, password, {
          jid,
          jobtype: job.jobType,
          args: job.args,
          queue: job.queue,
          retry: job.retries,
          reserve_for: Math.round(reserveFor / 1000),
          ...(at !== undefined && { at: new Date(at).toISOString() }),
          ...(job.custom && { custom: job.custom }),
        });
      } finally {
        socket.destroy();
      }
      return { jid };
    } catch (error) {
      context.signal.throwIfAborted();
      if (error instanceof TaskFailed) throw error;
      throw new TaskFailed(`Faktory on ${host}:${port}: ${messageOf(error)}`, { cause: error });
    }
  },
});

async function connect(
  context: TaskContext,
  { host, port, tls }: { readonly host: string; readonly port: number; readonly tls: boolean },
): Promise<Socket> {
  const plain = await context.connect({ host, port, timeoutMs: connectTimeoutMs, signal: context.signal });
  const socket = tls ? connectTls({ socket: plain, servername: host }) : plain;
  context.signal.addEventListener('abort', () => socket.destroy(), { once: true });
  return socket;
}

async function push(socket: Socket, password: string | undefined, job: object): Promise<void> {
  const lines = createInterface({ input: socket });
  // A connection that is destroyed has no end, for which the reader would wait.
  socket.once('close', () => lines.close());
  const replies = lines[Symbol.asyncIterator]();
  socket.setTimeout(replyTimeoutMs, () => socket.destroy(new Error('The server did not reply in time.')));
  let failure: Error | undefined;
  socket.on('error', (error) => {
    failure = error;
  });
  const reply = async (): Promise<string> => {
    const { value, done } = await replies.next();
    if (done) throw failure ?? new Error('The server closed the connection.');
    if (value.startsWith('-'))
      throw new TaskFailed(`Faktory refused the job: ${value.slice(1).replace(/^ERR /, '')}`, {
        retry: false,
      });
    return value;
  };
  const greeting = Greeting.parse(JSON.parse((await reply()).replace(/^\+HI\s*/, '') || '{}'));
  if (greeting.s !== undefined && password === undefined)
    throw new TaskFailed('Faktory wants a password.', { retry: false });
  const login =
    greeting.s !== undefined && password !== undefined
      ? { pwdhash: hashOf(password, greeting.s, greeting.i ?? 1) }
      : {};
  socket.write(`HELLO ${JSON.stringify({ v: 2, hostname: hostname(), ...login })}\r\n`);
  await reply();
  socket.write(`PUSH ${JSON.stringify(job)}\r\n`);
  await reply();
  socket.write('END\r\n');
  // The protocol asks clients to read this reply before they close; the job is stored whatever it is.
  await replies.next();
}

/** The server sends a salt and how often to hash, when it wants a password. */
const Greeting = z.looseObject({ s: z.string().optional(), i: z.number().optional() });

function hashOf(password: string, salt: string, times: number): string {
  let hash = createHash('sha256')
    .update(password + salt)
    .digest();
  for (let count = 1; count < times; count++) hash = createHash('sha256').update(hash).digest();
  return hash.toString('hex');
}

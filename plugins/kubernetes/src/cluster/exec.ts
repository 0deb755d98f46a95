import { importModule, messageOf, TaskFailed } from '@millrace/plugin-kit';
import type { RawData, WebSocket } from 'ws';
import { z } from 'zod';
import { type ApiClient, headersOf, toPath } from './client.ts';

export interface ExecRequest {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly command: readonly string[];
  readonly stdin?: AsyncIterable<Uint8Array>;
  /** The next chunk is delivered when the promise settles. */
  readonly onStdout?: (chunk: Uint8Array) => void | Promise<void>;
  readonly signal: AbortSignal;
}

const channels = { stdin: 0, stdout: 1, stderr: 2, status: 3 } as const;
const maxErrorBytes = 4_096;

/**
 * Runs a command in a container of a pod over a WebSocket. Each message starts with the number of its
 * channel. The client cannot close stdin in version 4 of this protocol, so a command must detect the end of
 * its input itself.
 */
export async function exec(client: ApiClient, request: ExecRequest): Promise<void> {
  const { WebSocket: Client } = await importModule<typeof import('ws')>('ws');
  const { namespace, pod, container, command, stdin, onStdout, signal } = request;
  const socket = await client.open(signal);
  const path = toPath(
    client.cluster,
    `api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/exec`,
    { container, command, stdin: stdin !== undefined, stdout: true, stderr: true, tty: false },
  );
  const socketUrl = `ws://${client.cluster.url.host}${path}`;
  const connection = new Client(socketUrl, ['v5.channel.k8s.io', 'v4.channel.k8s.io'], {
    headers: headersOf(client.cluster),
    createConnection: () => socket,
    perMessageDeflate: false,
  });
  const stop = () => connection.terminate();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const [said] = await Promise.all([readUntilStatus(connection, onStdout), sendInput(connection, stdin)]);
    refuseFailure(said, command);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TaskFailed) throw error;
    throw new TaskFailed(`A command in the container "${container}" could not be run: ${messageOf(error)}`);
  } finally {
    signal.removeEventListener('abort', stop);
    connection.terminate();
  }
}

async function sendInput(connection: WebSocket, stdin: AsyncIterable<Uint8Array> | undefined): Promise<void> {
  if (connection.readyState === connection.CONNECTING) {
    await new Promise<void>((resolve, reject) => {
      connection.once('open', () => resolve());
      connection.once('error', reject);
    });
  }
  if (!stdin) return;
  for await (const chunk of stdin) {
    const message = Buffer.concat([Buffer.of(channels.stdin), chunk]);
    await new Promise<void>((resolve, reject) =>
      connection.send(message, (error) => (error ? reject(error) : resolve())),
    );
  }
}

interface Said {
  readonly status: string | undefined;
  readonly stderr: string;
}

function readUntilStatus(connection: WebSocket, onStdout: ExecRequest['onStdout']): Promise<Said> {
  return new Promise((resolve, reject) => {
    let stderr = '';
    let status: string | undefined;
    let pending = Promise.resolve();
    const take = async (data: RawData) => {
      const message = Buffer.isBuffer(data)
        ? data
        : Buffer.concat([data].flat().map((part) => Buffer.from(part as ArrayBuffer))); // one of the three forms
      const [channel, content] = [message[0], message.subarray(1)];
      if (channel === channels.stdout && content.length > 0) {
        connection.pause();
        await onStdout?.(content);
        connection.resume();
      } else if (channel === channels.stderr)
        stderr = (stderr + content.toString('utf8')).slice(0, maxErrorBytes);
      else if (channel === channels.status) status = (status ?? '') + content.toString('utf8');
    };
    connection.on('message', (data) => {
      pending = pending.then(() => take(data));
      pending.catch(reject);
    });
    connection.on('error', reject);
    connection.on('unexpected-response', (_, response) =>
      reject(new Error(`the API server responded with status ${response.statusCode}`)),
    );
    // All received messages are processed before the connection counts as closed.
    connection.on('close', () => pending.then(() => resolve({ status, stderr })).catch(reject));
  });
}

const Status = z.object({
  status: z.string(),
  message: z.string().optional(),
  details: z
    .object({ causes: z.array(z.object({ reason: z.string().optional(), message: z.string() })).optional() })
    .optional(),
});

function refuseFailure({ status, stderr }: Said, command: readonly string[]): void {
  if (status === undefined) throw new Error('the connection was closed before the command ended');
  const { data } = Status.safeParse(JSON.parse(status));
  if (data?.status === 'Success') return;
  throw new TaskFailed(
    `"${command.join(' ').slice(0, 200)}" failed: ${[data?.message, stderr.trim()].filter(Boolean).join(': ')}`,
  );
}

import { createServer, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions as TlsOptions } from 'node:tls';
import type { TaskContext } from '../definition.ts';

export interface Relay {
  readonly host: string;
  readonly port: number;
  /** Why the last connection failed, for example the outbound policy. */
  failure(): Error | undefined;
  close(): Promise<void>;
}

interface CountingRelay extends Relay {
  /** How many bytes the target has sent, after decryption. */
  receivedBytes(): number;
}

interface Target {
  readonly host: string;
  readonly port: number;
  readonly timeoutMs?: number;
  /** The relay encrypts its connection to the target, for libraries that would check the certificate of the relay. */
  readonly tls?: TlsOptions;
  /** Called for each connection that failed, for libraries that wait although the relay has closed their connection. */
  readonly onFailure?: (error: Error) => void;
}

/**
 * Opens a local port that forwards to one host under the outbound policy, for programs and libraries that
 * accept only an address.
 */
export async function openRelay(
  context: Pick<TaskContext, 'connect'>,
  target: Target,
): Promise<CountingRelay> {
  const open = new Set<Socket>();
  let failure: Error | undefined;
  let receivedBytes = 0;
  const server = createServer({ noDelay: true, pauseOnConnect: true }, (near) => {
    track(open, near);
    openFar(context, target).then(
      (far) => {
        track(open, far);
        far.on('data', (chunk: Buffer) => {
          receivedBytes += chunk.length;
        });
        near.pipe(far);
        far.pipe(near);
        near.once('close', () => far.destroy());
        far.once('close', () => near.destroy());
        if (near.destroyed) far.destroy();
      },
      (error: unknown) => {
        failure = error instanceof Error ? error : new Error(String(error));
        near.destroy();
        target.onFailure?.(failure);
      },
    );
  });
  const host = '127.0.0.1';
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    host,
    port,
    failure: () => failure,
    receivedBytes: () => receivedBytes,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

async function openFar(
  context: Pick<TaskContext, 'connect'>,
  { tls, onFailure: _, ...target }: Target,
): Promise<Socket> {
  const plain = await context.connect(target);
  if (!tls) return plain;
  return new Promise((resolve, reject) => {
    const secure = connectTls({ socket: plain, ...tls });
    const { timeoutMs = defaultTimeoutMs } = target;
    const timer = setTimeout(
      () =>
        secure.destroy(new Error(`${target.host}:${target.port} did not start TLS within ${timeoutMs} ms.`)),
      timeoutMs,
    );
    secure.once('secureConnect', () => {
      clearTimeout(timer);
      secure.off('error', reject);
      resolve(secure);
    });
    secure.once('error', reject);
    secure.once('close', () => {
      clearTimeout(timer);
      plain.destroy();
    });
  });
}

const defaultTimeoutMs = 30_000;

function track(open: Set<Socket>, socket: Socket): void {
  open.add(socket);
  socket.once('close', () => open.delete(socket));
  // The other side of the pipe closes with it; the program at the near side reports the failure.
  socket.on('error', () => {});
}

import { createServer, type Socket } from 'node:net';
import type { TaskContext } from '../definition.ts';

export interface Relay {
  readonly host: string;
  readonly port: number;
  /** Why the last connection failed, for example the outbound policy. */
  failure(): Error | undefined;
  close(): Promise<void>;
}

interface Target {
  readonly host: string;
  readonly port: number;
  readonly timeoutMs?: number;
}

/**
 * Opens a local port that forwards to one host under the outbound policy, for programs and libraries that
 * accept only an address.
 */
export async function openRelay(context: Pick<TaskContext, 'connect'>, target: Target): Promise<Relay> {
  const open = new Set<Socket>();
  let failure: Error | undefined;
  const server = createServer({ noDelay: true, pauseOnConnect: true }, (near) => {
    track(open, near);
    context.connect(target).then(
      (far) => {
        track(open, far);
        near.pipe(far);
        far.pipe(near);
        near.once('close', () => far.destroy());
        far.once('close', () => near.destroy());
        if (near.destroyed) far.destroy();
      },
      (error: unknown) => {
        failure = error instanceof Error ? error : new Error(String(error));
        near.destroy();
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
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

function track(open: Set<Socket>, socket: Socket): void {
  open.add(socket);
  socket.once('close', () => open.delete(socket));
  // The other side of the pipe closes with it; the program at the near side reports the failure.
  socket.on('error', () => {});
}

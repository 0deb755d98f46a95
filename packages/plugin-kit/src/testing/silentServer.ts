import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import type { TestContext } from './testContext.ts';

/** A server that accepts connections and never responds; closed when the test ends. */
export async function aSilentServer() {
  const sockets = new Set<Socket>();
  let requests = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => requests++);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen.');
  return {
    port: address.port,
    /** Kills the task when its request has arrived, and expects its end within two seconds. */
    async expectKilled(context: TestContext, running: Promise<unknown>): Promise<void> {
      running.catch(() => {});
      await expect.poll(() => requests, { timeout: 10_000 }).toBeGreaterThan(0);
      const killedAt = performance.now();
      context.kill();
      await expect(running).rejects.toThrow();
      expect(performance.now() - killedAt).toBeLessThan(2_000);
    },
  };
}

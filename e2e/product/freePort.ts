import { createServer } from 'node:net';

/** A free port of the loopback address. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('The port is not known.'));
        else resolve(address.port);
      });
    });
  });
}

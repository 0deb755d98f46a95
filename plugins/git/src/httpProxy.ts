import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Relay, TaskContext } from '@millrace/plugin-kit';

/**
 * An HTTP proxy on this machine for one `git` process. Every connection that Git makes, redirects included, goes
 * through `context.connect` and so through the outbound policy.
 */
export async function openHttpProxy(
  context: Pick<TaskContext, 'connect'>,
  connectTimeoutMs: number,
): Promise<Relay> {
  const open = new Set<Socket>();
  let failure: Error | undefined;
  const track = (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => {});
  };
  const reach = async (host: string, port: number): Promise<Socket> => {
    try {
      const socket = await context.connect({ host, port, timeoutMs: connectTimeoutMs });
      track(socket);
      return socket;
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      throw failure;
    }
  };
  const server = createServer((incoming, response) => void forward(incoming, response, reach));
  server.on('connection', track);
  server.on('connect', (incoming: IncomingMessage, near: Socket, head: Buffer) => {
    const target = new URL(`http://${incoming.url}`);
    reach(target.hostname.replace(/^\[|\]$/g, ''), Number(target.port || 443)).then(
      (far) => {
        near.write('HTTP/1.1 200 Connection established\r\n\r\n');
        far.write(head);
        near.pipe(far);
        far.pipe(near);
        near.once('close', () => far.destroy());
        far.once('close', () => near.destroy());
      },
      () => near.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'),
    );
  });
  const host = '127.0.0.1';
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  const address = server.address();
  return {
    host,
    port: typeof address === 'object' && address ? address.port : 0,
    failure: () => failure,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

async function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  reach: (host: string, port: number) => Promise<Socket>,
): Promise<void> {
  try {
    const url = new URL(incoming.url ?? '');
    const socket = await reach(url.hostname.replace(/^\[|\]$/g, ''), Number(url.port || 80));
    const { 'proxy-connection': _, connection: __, ...headers } = incoming.headers;
    const outgoing = request({
      method: incoming.method,
      path: url.pathname + url.search,
      headers: { ...headers, connection: 'close' },
      createConnection: () => socket,
    });
    outgoing.once('error', () => response.destroy());
    outgoing.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.once('error', () => response.destroy());
    });
    incoming.pipe(outgoing);
  } catch {
    response.writeHead(502).end();
  }
}

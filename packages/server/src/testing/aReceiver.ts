import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

/** A real HTTP server for one test, which keeps the requests it gets. `status` decides its responses. */
export async function aReceiver(status: () => number = () => 200) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      const body = JSON.parse(text) as Record<string, unknown>;
      const code = status();
      if (code < 300) received.push({ path: request.url ?? '', headers: request.headers, text, body });
      response.writeHead(code).end(code < 300 ? '{}' : 'not now');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // `as`: it listens on a port.
  return { received, url: `http://127.0.0.1:${port}` };
}

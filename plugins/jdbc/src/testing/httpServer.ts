import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Received {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly bytes: Buffer;
}

/** Starts a fake database server; closed when the test ends. Returns its host and the received requests. */
export async function playDatabase(
  respond: (request: Received, response: ServerResponse, host: string) => void,
): Promise<{ host: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer(async (message, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const request = {
      method: message.method ?? '',
      url: new URL(message.url ?? '', 'http://localhost'),
      headers: message.headers,
      body: bytes.toString(),
      bytes,
    };
    received.push(request);
    respond(request, response, host);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // `as`: a server that listens on a port has such an address.
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { host, received };
}

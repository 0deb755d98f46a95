import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { PodRuntime } from './podRuntime.ts';

const sockets = new WebSocketServer({
  noServer: true,
  // Like an API server before 1.30: it does not support version 5, in which a client can close stdin.
  handleProtocols: (offered) => (offered.has('v4.channel.k8s.io') ? 'v4.channel.k8s.io' : false),
});

/** Runs a command in a container and speaks the channel protocol of the API server. */
export function serveExec(pod: PodRuntime, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { searchParams } = new URL(request.url ?? '', 'https://x');
  const child = pod.exec(searchParams.get('container') ?? '', searchParams.getAll('command'));
  if (!child) return void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  sockets.handleUpgrade(request, socket, head, (connection: WebSocket) => {
    const send = (channel: number, content: Buffer | string) =>
      connection.send(Buffer.concat([Buffer.of(channel), Buffer.from(content)]));
    connection.on('message', (data: Buffer) => {
      if (data[0] === 0 && child.stdin?.writable) child.stdin.write(data.subarray(1));
    });
    child.stdin?.on('error', () => {});
    child.stdout?.on('data', (chunk: Buffer) => send(1, chunk));
    child.stderr?.on('data', (chunk: Buffer) => send(2, chunk));
    connection.on('close', () => child.kill('SIGKILL'));
    child.once('close', (code) => {
      const status =
        code === 0
          ? { status: 'Success' }
          : {
              status: 'Failure',
              reason: 'NonZeroExitCode',
              message: `command terminated with exit code ${code}`,
            };
      send(3, JSON.stringify({ metadata: {}, ...status }));
      connection.close(1000);
    });
  });
}

import { connect, type Socket } from 'node:net';

const headEnd = Buffer.from('\r\n\r\n');

/**
 * One keep-alive connection that repeats the same request. Writes to the socket directly: on two cores an
 * HTTP client library would use a large part of the measured CPU time.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #request: string;
  #received: Buffer = Buffer.alloc(0);
  #waiting: ((status: number) => void)[] = [];

  private constructor(socket: Socket, request: string) {
    this.#socket = socket;
    this.#request = request;
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('close', () => this.#fail());
    socket.on('error', () => this.#fail());
  }

  static open(port: number, path: string): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new Connection(socket, `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`));
      });
    });
  }

  /** Resolves with the response status; 0 when the connection broke. */
  ask(): Promise<number> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#socket.write(this.#request);
    });
  }

  close(): void {
    this.#socket.end();
  }

  #read(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    for (;;) {
      const end = this.#received.indexOf(headEnd);
      if (end < 0) return;
      const head = this.#received.toString('latin1', 0, end);
      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
      const total = end + headEnd.length + length;
      if (this.#received.length < total) return;
      this.#received = this.#received.subarray(total);
      this.#waiting.shift()?.(Number(head.slice(9, 12)));
    }
  }

  #fail(): void {
    for (const resolve of this.#waiting.splice(0)) resolve(0);
  }
}

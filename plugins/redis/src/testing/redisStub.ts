import { type AddressInfo, createServer, type Socket } from 'node:net';

/** Texts are bytes: each character is one byte. An error is a text that begins with its code. */
export type Reply = string | number | null | Error | readonly Reply[];

export interface RedisStub {
  readonly port: number;
  close(): Promise<void>;
}

/** A server with the protocol of Redis, for modules that Debian does not have. */
export async function startRedisStub(respond: (words: readonly string[]) => Reply): Promise<RedisStub> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    let left = '';
    sockets.add(socket);
    socket.on('error', () => {});
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      left = takeCommands(left + chunk, (words) => {
        // Commands with which the client opens a connection.
        const name = words[0]?.toLowerCase();
        const reply = name === 'info' ? 'redis_version:8.0.0\r\n' : name === 'client' ? 'OK' : respond(words);
        socket.write(encode(reply), 'latin1');
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port, // `as`: it listens on a port.
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const encode = (reply: Reply): string => {
  if (reply === null) return '$-1\r\n';
  if (reply instanceof Error) return `-${reply.message}\r\n`;
  if (typeof reply === 'number') return `:${reply}\r\n`;
  if (typeof reply === 'string') return `$${reply.length}\r\n${reply}\r\n`;
  return `*${reply.length}\r\n${reply.map(encode).join('')}`;
};

/** Reads whole commands, which are lists of texts, and returns what is left. */
function takeCommands(text: string, take: (words: readonly string[]) => void): string {
  for (let rest = text; ; ) {
    const head = /^\*(\d+)\r\n/.exec(rest);
    if (!head) return rest;
    const words: string[] = [];
    let at = head[0].length;
    for (let count = Number(head[1]); count > 0; count--) {
      const [line, length] = /^\$(\d+)\r\n/.exec(rest.slice(at)) ?? [];
      if (line === undefined || rest.length < at + line.length + Number(length) + 2) return rest;
      words.push(rest.slice(at + line.length, at + line.length + Number(length)));
      at += line.length + Number(length) + 2;
    }
    take(words);
    rest = rest.slice(at);
  }
}

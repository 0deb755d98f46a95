import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { messageOf, TaskFailed, type TriggerContext } from '@millrace/plugin-kit';
import type { Mailbox } from './mailbox.ts';
import { maxMailBytes } from './received.ts';

/**
 * A read-only POP3 client (RFC 1939). The clients on npm open their own sockets, which bypasses the outbound
 * policy, and treat every network chunk as a complete response.
 */
export interface Pop3 {
  /** The numbers and unique ids of all mails, oldest first. */
  list(): Promise<readonly { readonly number: number; readonly id: string }[]>;
  /** The source of a mail, truncated at the limit. */
  retrieve(number: number): Promise<Buffer>;
  /** The header of a mail. */
  header(number: number): Promise<string>;
}

const timeoutMs = 30_000;

export async function withPop3<T>(
  context: TriggerContext,
  mailbox: Mailbox,
  use: (client: Pop3) => Promise<T>,
): Promise<T> {
  const { host, ssl, username, password } = mailbox;
  const port = mailbox.port ?? (ssl ? 995 : 110);
  const place = `The mail server ${host}:${port}`;
  let line: Line | undefined;
  const stop = () => line?.socket.destroy(new Error('canceled'));
  context.signal.addEventListener('abort', stop, { once: true });
  try {
    line = openLine(await openSocket(context, mailbox, port));
    await line.reply();
    for (const command of [`USER ${username}`, `PASS ${password}`])
      await line.ask(command).catch((error: unknown) => {
        const said = context.masker.mask(messageOf(error));
        throw new TaskFailed(`${place} refused the login. Check "username" and "password": ${said}`, {
          retry: false,
        });
      });
    const result = await use(clientOn(line));
    await line.ask('QUIT').catch(() => {});
    return result;
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof TaskFailed) throw error;
    const said = context.masker.mask(messageOf(error));
    if (/certificate|self-signed|altnames/i.test(said))
      throw new TaskFailed(
        `${place} could not be trusted: ${said}. "trustAllCertificates" skips this check.`,
        {
          retry: false,
        },
      );
    throw new TaskFailed(`${place} could not be read: ${said}`);
  } finally {
    context.signal.removeEventListener('abort', stop);
    line?.socket.destroy();
  }
}

async function openSocket(context: TriggerContext, mailbox: Mailbox, port: number): Promise<Socket> {
  const { host, ssl, trustAllCertificates } = mailbox;
  const socket = await context.connect({ host, port, timeoutMs });
  if (!ssl) return socket;
  return new Promise((resolve, reject) => {
    const secure = connectTls({ socket, servername: host, rejectUnauthorized: !trustAllCertificates });
    secure.once('secureConnect', () => resolve(secure));
    secure.once('error', reject);
  });
}

interface Line {
  readonly socket: Socket;
  /** The text after `+OK`; a negative reply is thrown. */
  reply(): Promise<string>;
  ask(command: string): Promise<string>;
  /** The lines of a long reply, until the single dot. */
  askMany(command: string): AsyncIterable<Buffer>;
}

/** Reads line by line, independent of network chunks. */
function openLine(socket: Socket): Line {
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no response within ${timeoutMs / 1000} s`)));
  const lines = readLines(socket);
  const next = async (): Promise<Buffer> => {
    const { done, value } = await lines.next();
    if (done) throw new Error('the connection was closed');
    return value;
  };
  const reply = async (): Promise<string> => {
    const said = (await next()).toString('utf8');
    if (said.startsWith('+OK')) return said.slice(3).trim();
    throw new Error(said.replace(/^-ERR\s*/, ''));
  };
  const send = (command: string) => {
    if (/[\r\n]/.test(command))
      throw new TaskFailed('A user or password holds a line break.', { retry: false });
    socket.write(`${command}\r\n`);
  };
  return {
    socket,
    reply,
    ask: (command) => {
      send(command);
      return reply();
    },
    async *askMany(command) {
      send(command);
      await reply();
      for (let line = await next(); !(line.length === 1 && line[0] === dot); line = await next())
        // A line that begins with a dot is sent with one more.
        yield line[0] === dot ? line.subarray(1) : line;
    },
  };
}

const dot = '.'.charCodeAt(0);

async function* readLines(socket: Socket): AsyncGenerator<Buffer, void> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let at = rest.indexOf('\n'); at >= 0; at = rest.indexOf('\n')) {
      yield rest.subarray(0, rest[at - 1] === 13 ? at - 1 : at);
      rest = rest.subarray(at + 1);
    }
  }
}

function clientOn(line: Line): Pop3 {
  return {
    list: async () => {
      const found = [];
      for await (const each of line.askMany('UIDL')) {
        const [number, id] = each.toString('utf8').split(' ');
        if (number !== undefined && id !== undefined) found.push({ number: Number(number), id });
      }
      return found;
    },
    retrieve: async (number) => {
      const lines: Buffer[] = [];
      let bytes = 0;
      for await (const each of line.askMany(`RETR ${number}`)) {
        bytes += each.length + 2;
        if (bytes <= maxMailBytes) lines.push(each, newLine);
      }
      return Buffer.concat(lines);
    },
    header: async (number) => {
      const lines: string[] = [];
      for await (const each of line.askMany(`TOP ${number} 0`)) lines.push(each.toString('utf8'));
      return lines.join('\r\n');
    },
  };
}

const newLine = Buffer.from('\r\n');

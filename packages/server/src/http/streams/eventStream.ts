import type { FastifyReply } from 'fastify';

const keepAliveMs = 20_000;
/** A client that lets this much pile up is not reading. */
const maxUnreadBytes = 256 * 1_024;

/** `start`, `progress` and `end` are names that clients find in the id of a frame; there is no event line. */
export type FrameId = 'start' | 'progress' | 'end';

export interface EventStream {
  readonly isOpen: boolean;
  send(id: FrameId, data: unknown): void;
  end(): void;
  /** Called once, when either side has closed the stream. */
  onClose(listener: () => void): void;
}

/** Turns the answer into an event stream, written without the framework in between. */
export function openEventStream(reply: FastifyReply): EventStream {
  const { raw } = reply;
  const headers = reply.getHeaders();
  reply.hijack();
  raw.writeHead(200, {
    ...Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  raw.socket?.setNoDelay(true);
  let isOpen = true;
  const listeners: (() => void)[] = [];
  const keepAlive = setInterval(() => write(': keep-alive\n\n'), keepAliveMs);
  const write = (text: string) => {
    if (!isOpen) return;
    raw.write(text);
    if (raw.writableLength > maxUnreadBytes) raw.destroy();
  };
  raw.on('close', () => {
    isOpen = false;
    clearInterval(keepAlive);
    for (const listener of listeners.splice(0)) listener();
  });
  // A reset connection is the client's way to leave.
  raw.on('error', () => raw.destroy());
  return {
    get isOpen() {
      return isOpen;
    },
    send: (id, data) => write(`id: ${id}\ndata: ${JSON.stringify(data)}\n\n`),
    end: () => {
      if (isOpen) raw.end();
    },
    onClose: (listener) => {
      if (isOpen) listeners.push(listener);
      else listener();
    },
  };
}

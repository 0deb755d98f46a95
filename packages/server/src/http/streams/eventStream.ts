import { AppError } from '@millrace/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';

const keepAliveMs = 20_000;
const readsWithinMs = 60_000;

/** Resource limits for all followers together, however slowly they read. */
export interface StreamLimits {
  /** Streams at the same time. */
  readonly streams: number;
  /** A follower with more unread bytes than this is disconnected. */
  readonly unreadBytes: number;
  /** Above this total, a follower that has not read its last frame is disconnected. */
  readonly totalUnreadBytes: number;
}

const defaultLimits: StreamLimits = {
  streams: 10_000,
  unreadBytes: 256 * 1_024,
  totalUnreadBytes: 128 * 1_048_576,
};

/** Clients read these names from the id of a frame; there is no event line. */
export type FrameId = 'start' | 'progress' | 'end' | 'end-all';

export interface EventStream {
  readonly isOpen: boolean;
  /** The follower has much unread data; another frame may exceed its limit. */
  readonly isBehind: boolean;
  send(id: FrameId, data: object): void;
  /** Sends data that is JSON already. */
  sendJson(id: FrameId, json: string): void;
  /** Resolves when the follower has read most of the data or is gone. A stalled follower is dropped. */
  whenRead(): Promise<void>;
  end(): void;
  /** Called once, when either side has closed the stream. */
  onClose(listener: () => void): void;
}

/** The streams of one server. */
interface Followers {
  count: number;
  unreadBytes: number;
}
const followersOf = new WeakMap<FastifyInstance, Followers>();

export function followersOn(app: FastifyInstance): Readonly<Followers> {
  return find(app);
}

/** Turns the response into an event stream, written directly to the socket. */
export function openEventStream(reply: FastifyReply, limits = defaultLimits): EventStream {
  const followers = find(reply.server);
  if (followers.count >= limits.streams) {
    throw new AppError('unavailable', `${followers.count} streams are open; try again later`);
  }
  followers.count++;
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
  let unreadBytes = 0;
  const count = (bytes: number) => {
    unreadBytes += bytes;
    followers.unreadBytes += bytes;
  };
  const listeners: (() => void)[] = [];
  const keepAlive = setInterval(() => write(': keep-alive\n\n'), keepAliveMs);
  const write = (text: string) => {
    if (!isOpen) return;
    // The frame about to be written does not count: it may be large, and its reader fast.
    const isCrowded = followers.unreadBytes > limits.totalUnreadBytes;
    if (unreadBytes > limits.unreadBytes || (isCrowded && unreadBytes > 0)) {
      raw.destroy();
      return;
    }
    count(text.length);
    raw.write(text, () => {
      if (isOpen) count(-text.length);
      if (unreadBytes <= limits.unreadBytes / 2) wakeReaders();
    });
  };
  const waiting: (() => void)[] = [];
  const wakeReaders = () => {
    for (const wake of waiting.splice(0)) wake();
  };
  raw.on('close', () => {
    isOpen = false;
    count(-unreadBytes);
    wakeReaders();
    followers.count--;
    clearInterval(keepAlive);
    for (const listener of listeners.splice(0)) listener();
  });
  // A reset connection is the client's way to leave.
  raw.on('error', () => raw.destroy());
  return {
    get isOpen() {
      return isOpen;
    },
    get isBehind() {
      return unreadBytes > limits.unreadBytes / 2;
    },
    send: (id, data) => {
      try {
        write(frameOf(id, data, reply.server.presentNames));
      } catch {
        // Too large for one text: the follower is disconnected instead of the sender.
        raw.destroy();
      }
    },
    sendJson: (id, json) => write(`id: ${id}\ndata: ${json}\n\n`),
    whenRead: async () => {
      if (!isOpen || unreadBytes <= limits.unreadBytes / 2) return;
      const tooLate = setTimeout(() => raw.destroy(), readsWithinMs);
      await new Promise<void>((resolve) => waiting.push(resolve));
      clearTimeout(tooLate);
    },
    end: () => {
      if (isOpen) raw.end();
    },
    onClose: (listener) => {
      if (isOpen) listeners.push(listener);
      else listener();
    },
  };
}

function find(app: FastifyInstance): Followers {
  const known = followersOf.get(app) ?? { count: 0, unreadBytes: 0 };
  followersOf.set(app, known);
  return known;
}

const texts = new WeakMap<object, string>();

/** Followers of the same execution share the objects they are sent, so each is serialized once. */
function frameOf(id: FrameId, data: object, present = (value: unknown) => value): string {
  const text = texts.get(data) ?? JSON.stringify(present(data));
  texts.set(data, text);
  return `id: ${id}\ndata: ${text}\n\n`;
}

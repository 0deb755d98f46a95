import { sessions } from '@millrace/contract';
import { call } from './call.ts';
import { signedInUser } from './session.ts';

/**
 * A server-sent event stream as the product speaks it: frames carry no event name, their id says what they are.
 * `start` opens the stream and brings nothing to show, `progress` brings data, `end` brings the last data and
 * is the reader's sign to close. A broken stream is opened again, each time after a longer pause.
 */
export interface StreamHandlers {
  readonly onData: (data: string) => void;
  /** Called before the first frame of a stream opened again: what was received so far will be sent once more. */
  readonly onReopen?: () => void;
  readonly onEnd?: () => void;
  /** `connected` turns false while the stream is broken. */
  readonly onConnection?: (connected: boolean) => void;
}

const firstPauseMs = 500;
const longestPauseMs = 15_000;

/** Opens the stream at once; the returned function closes it. */
export function openStream(url: string, handlers: StreamHandlers): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = firstPauseMs;
  let isClosed = false;

  const connect = () => {
    source = new EventSource(url);
    source.onopen = () => handlers.onConnection?.(true);
    source.onmessage = (frame: MessageEvent<string>) => {
      pauseMs = firstPauseMs;
      if (frame.lastEventId === 'start') return;
      handlers.onData(frame.data);
      if (frame.lastEventId !== 'end') return;
      close();
      handlers.onEnd?.();
    };
    source.onerror = () => {
      // The browser's own retry is too eager and never comes back from an error status.
      source?.close();
      handlers.onConnection?.(false);
      timer = setTimeout(() => void reconnect(), pauseMs);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    };
  };

  const reconnect = async () => {
    // A stream does not say why it broke. If the session ran out, any call renews it.
    if (signedInUser() !== undefined)
      await call(sessions.getSession, { failures: 'handled' }).catch(() => undefined);
    if (isClosed) return;
    handlers.onReopen?.();
    connect();
  };

  const close = () => {
    isClosed = true;
    clearTimeout(timer);
    source?.close();
  };

  connect();
  return close;
}

/**
 * Runs the action at most once per interval, always with the last value: the first one at once, and what
 * arrives meanwhile when the interval ends.
 */
export function throttle<T>(intervalMs: number, action: (value: T) => void) {
  let waiting: { value: T } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (!waiting) return;
    const { value } = waiting;
    waiting = undefined;
    action(value);
    timer = setTimeout(flush, intervalMs);
  };
  return {
    push: (value: T) => {
      waiting = { value };
      if (timer === undefined) flush();
    },
    flush,
    cancel: () => {
      clearTimeout(timer);
      timer = undefined;
      waiting = undefined;
    },
  };
}

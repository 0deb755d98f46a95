import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import type { SocketRequest } from '../context.ts';
import { TaskFailed } from '../failure.ts';
import { clearError } from './clearError.ts';
import type { OutboundRules } from './policy.ts';

const defaultTimeoutMs = 30_000;

/** How long a client may take to end its session when its task is killed. */
const graceMs = 1_000;

/**
 * A plain TCP connection for clients of other protocols than HTTP. The client library gets the connected socket, so it
 * talks to exactly the address that the policy allowed.
 */
export function openSocket(
  { host, port, timeoutMs = defaultTimeoutMs, signal }: SocketRequest,
  { rules, lookup }: { readonly rules: OutboundRules; readonly lookup: LookupFunction },
): Promise<Socket> {
  const reason = rules.refuseHost(host) ?? (isIP(host) ? rules.refuseAddress(host, host) : undefined);
  if (reason) return Promise.reject(new TaskFailed(reason, { retry: false }));
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, lookup, noDelay: true });
    const stop = (error: Error) => socket.destroy(error);
    const abort = () => stop(new Error(`The connection to ${host}:${port} was canceled.`));
    const timer = setTimeout(
      () => stop(new Error(`${host}:${port} did not accept the connection within ${timeoutMs} ms.`)),
      timeoutMs,
    );
    const fail = (error: Error) => reject(clearError(error, host, port));
    const settle = () => {
      clearTimeout(timer);
      socket.off('error', fail);
      signal?.removeEventListener('abort', abort);
    };
    socket.once('error', fail);
    socket.once('close', settle);
    socket.once('connect', () => {
      settle();
      if (signal) closeAfterAbort(socket, signal);
      resolve(socket);
    });
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

/**
 * Closes a connection that is still open a second after its task was killed. Many clients cannot be interrupted while
 * they log in, and would wait for a server that does not respond until their own timeout.
 */
function closeAfterAbort(socket: Socket, signal: AbortSignal): void {
  const close = () => {
    const timer = setTimeout(() => socket.destroy(), graceMs);
    socket.once('close', () => clearTimeout(timer));
  };
  signal.addEventListener('abort', close, { once: true });
  socket.once('close', () => signal.removeEventListener('abort', close));
}

import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import type { SocketRequest } from '../context.ts';
import { TaskFailed } from '../failure.ts';
import type { OutboundRules } from './policy.ts';

const defaultTimeoutMs = 30_000;

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
    const settle = () => {
      clearTimeout(timer);
      socket.off('error', reject);
      signal?.removeEventListener('abort', abort);
    };
    socket.once('error', reject);
    socket.once('close', settle);
    socket.once('connect', () => {
      settle();
      resolve(socket);
    });
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

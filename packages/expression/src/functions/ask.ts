import type { Context } from '../context.ts';
import { ExpressionError } from '../error.ts';
import type { Answer, Host } from '../host.ts';

/** Calls a part of the host; fails when the host does not have it. */
export function askHost<K extends keyof Host, T>(
  context: Context,
  name: K,
  question: (part: NonNullable<Host[K]>) => Answer<T>,
): T {
  const { host } = context.session;
  const part = host[name];
  if (part === undefined || part === null)
    throw new ExpressionError(`The function ${name}() is not available here`);
  return context.session.ask(() =>
    question((typeof part === 'function' ? part.bind(host) : part) as NonNullable<Host[K]>),
  );
}

/** Random bytes from the host, or derived from its random numbers when it has none. */
export function askBytes(context: Context, count: number): Uint8Array {
  const { host } = context.session;
  return context.session.ask(() => {
    if (host.randomBytes) return host.randomBytes(count);
    return Uint8Array.from({ length: count }, () => Math.floor(host.random() * 256));
  });
}

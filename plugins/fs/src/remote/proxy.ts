import type { OutboundProxy } from '@millrace/plugin-kit';
import { TaskFailed } from '@millrace/plugin-kit';

interface WrittenProxy {
  readonly type?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

/** The proxy that a flow names, or none. */
export function readProxy({ type, host, port, username, password }: WrittenProxy): OutboundProxy | undefined {
  const kind = (type ?? 'HTTP').toUpperCase();
  if (host === undefined || kind === 'DIRECT') return undefined;
  if (!/^(HTTP|SOCKS5?)$/.test(kind))
    throw new TaskFailed(`The proxy type "${type}" is not supported; use HTTP or SOCKS5.`, { retry: false });
  return {
    type: kind === 'HTTP' ? 'HTTP' : 'SOCKS',
    host,
    port: Number(port ?? (kind === 'HTTP' ? 80 : 1080)),
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
  };
}

import type { Socket } from 'node:net';
import type { TaskContext } from '@millrace/plugin-kit';
import type { HostAndPort } from './jdbcUrl.ts';

/** Opens a socket to the first host that accepts one. */
export async function connectToFirst(
  context: Pick<TaskContext, 'connect'>,
  hosts: readonly HostAndPort[],
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<HostAndPort & { readonly socket: Socket }> {
  let failure: unknown;
  for (const { host, port } of hosts) {
    try {
      const socket = await context.connect({ host, port, timeoutMs, ...(signal && { signal }) });
      return { host, port, socket };
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

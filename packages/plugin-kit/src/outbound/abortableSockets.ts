import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { TaskContext } from '../definition.ts';

const tracking = new AsyncLocalStorage<(socket: Socket) => void>();
let isSubscribed = false;

/**
 * Runs work of a driver that accepts neither a socket nor a signal. When the task is killed before the work ends, the
 * sockets that the driver opened are destroyed.
 */
export async function withAbortableSockets<T>(
  { signal }: Pick<TaskContext, 'signal'>,
  work: () => Promise<T>,
): Promise<T> {
  if (!isSubscribed) {
    isSubscribed = true;
    subscribe('net.client.socket', (message) => {
      // Node documents this message for the channel.
      tracking.getStore()?.((message as { readonly socket: Socket }).socket);
    });
  }
  const sockets = new Set<Socket>();
  const destroy = (socket: Socket) => socket.destroy(new Error('The task was killed.'));
  const stop = () => {
    for (const socket of sockets) destroy(socket);
  };
  let isDone = false;
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await tracking.run((socket) => {
      if (isDone) return;
      sockets.add(socket);
      // The channel announces a socket before the driver listens to its errors.
      if (signal.aborted) process.nextTick(destroy, socket);
    }, work);
  } finally {
    isDone = true;
    signal.removeEventListener('abort', stop);
  }
}

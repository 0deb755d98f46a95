import { parentPort, workerData } from 'node:worker_threads';
import { enter, leave } from './exitGuard.ts';
import type { Answer, Job, ThreadData } from './messages.ts';

export interface JobServer<B, R> {
  answer(body: B): R;
  close(): void;
}

/** The main loop of a thread: opens, responds to one job after the other, closes on request. */
export function serveJobs<B, R>(open: (data: ThreadData) => JobServer<B, R>): void {
  const port = parentPort;
  if (port === null) throw new Error('This file runs in a thread of the store only.');
  // `as`: given by `Thread`, which starts this file.
  const data = workerData as ThreadData;
  const server = openGuarded(open, data);
  port.on('message', ({ id, body }: Job<B>) => {
    if (!enter(data.exitGuard)) return;
    try {
      port.postMessage(answer(server, id, body));
    } finally {
      leave(data.exitGuard);
    }
    if (body === undefined) port.close();
  });
}

function openGuarded<S>(open: (data: ThreadData) => S, data: ThreadData): S {
  try {
    return open(data);
  } finally {
    leave(data.exitGuard);
  }
}

function answer<B, R>(server: JobServer<B, R>, id: number, body: B | undefined): Answer<R | undefined> {
  try {
    if (body !== undefined) return { id, result: server.answer(body) };
    server.close();
    return { id, result: undefined };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}

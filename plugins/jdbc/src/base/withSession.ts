import { type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import { describeFailure } from './describeFailure.ts';
import { afterScheme } from './jdbcUrl.ts';
import type { ConnectionInput, Database, Session } from './session.ts';
import { lendSession } from './sessionPool.ts';

/** The time limit for a server to cancel a statement before the connection is closed. */
const cancelWithinMs = 1_500;

/** Provides a session for the callback. When the task is killed, the server cancels the statement. */
export async function withSession<R>(
  context: TaskContext,
  database: Database,
  input: ConnectionInput,
  use: (session: Session) => Promise<R>,
): Promise<R> {
  afterScheme(input.url, database.schemes, database.title);
  hideCredentials(context, input);
  context.signal.throwIfAborted();
  try {
    const { session, end } = await lendSession(context, database, input);
    const interruption = interrupt(context.signal, session);
    let isReusable = false;
    try {
      const result = await Promise.race([use(session), interruption.stopped]);
      isReusable = !context.signal.aborted;
      return result;
    } finally {
      interruption.forget();
      await end(isReusable);
    }
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof TaskFailed) throw error;
    throw new TaskFailed(`${database.title}: ${describeFailure(error)}`, { cause: error });
  }
}

/** Passwords written into the URL are secrets too. */
function hideCredentials(context: TaskContext, { url, password, ...others }: ConnectionInput): void {
  const found = /(?:[?&;]password=|\/\/[^/@:]*:)([^&;@/]+)(?=[&;@]|$)/i.exec(url)?.[1];
  const keys = [others.sslKey, others.sslKeyPassword, others.privateKey, others.privateKeyPassword];
  for (const secret of [password, found, ...keys])
    if (typeof secret === 'string' && secret !== '') context.masker.add(secret);
}

/** Cancels the statement when the signal is aborted, and rejects when the server takes too long. */
export function interrupt(signal: AbortSignal, session: Pick<Session, 'cancel'>) {
  let timer: NodeJS.Timeout | undefined;
  let stop: () => void = () => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => {
      void session.cancel().catch(() => {});
      timer = setTimeout(() => reject(signal.reason), cancelWithinMs);
    };
  });
  // The race may be decided before the signal is aborted.
  stopped.catch(() => {});
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  return {
    stopped,
    forget: () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    },
  };
}

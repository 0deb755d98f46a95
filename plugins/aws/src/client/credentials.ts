import { type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import type { Credentials } from './awsClient.ts';
import type { Connection } from './connection.ts';
import { findServerCredentials } from './serverCredentials.ts';

/** The task's credentials, or the server's from the AWS default chain. A role is assumed on top of either. */
export async function baseCredentials(
  context: TaskContext,
  { accessKeyId, secretKeyId, sessionToken }: Connection,
): Promise<() => Promise<Credentials>> {
  if (accessKeyId === undefined && secretKeyId === undefined) {
    const find = renewed(() => findServerCredentials(context));
    await find();
    return find;
  }
  if (accessKeyId === undefined || secretKeyId === undefined)
    throw new TaskFailed('"accessKeyId" and "secretKeyId" must be given together.', { retry: false });
  context.masker.add(secretKeyId);
  if (sessionToken) context.masker.add(sessionToken);
  return async () => ({ accessKeyId, secretAccessKey: secretKeyId, sessionToken });
}

/** Credentials that are read again a minute before they expire, because a trigger may listen for days. */
export function renewed(read: () => Promise<Credentials>): () => Promise<Credentials> {
  let current: Promise<Credentials> | undefined;
  return async () => {
    const found = await (current ?? fresh());
    return found.expiresAt === undefined || Date.now() < found.expiresAt - 60_000 ? found : fresh();
  };

  function fresh(): Promise<Credentials> {
    current = read();
    current.catch(() => {
      current = undefined;
    });
    return current;
  }
}

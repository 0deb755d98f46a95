import { sessions } from '@millrace/contract';
import { readStored, writeStored } from '../storage/storage.ts';
import { queryString } from './queryString.ts';
import { basePath } from './tenant.ts';

/**
 * What happens when the server answers that nobody is signed in. Without a user there is nothing to renew: the
 * shell shows the login page. With one, the session may merely have run out: it is renewed once for all calls that
 * fail meanwhile, and each of them is tried again. The cookies cannot be read from here, so a stored name stands
 * for "somebody signed in in this browser".
 */
export const signedInUser = (): string | undefined => readStored('signedIn');

export function rememberSignIn(username: string): void {
  writeStored('signedIn', username);
}

export function forgetSignIn(): void {
  writeStored('signedIn', undefined);
}

/** `expired`: there was a user. */
export interface LostSession {
  readonly expired: boolean;
}

const listeners = new Set<(lost: LostSession) => void>();

export function onSessionLost(listener: (lost: LostSession) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let renewal: Promise<boolean> | undefined;

/** True when the session was renewed and the call may be tried again. */
export async function recoverSession(): Promise<boolean> {
  const expired = signedInUser() !== undefined;
  // Whoever acts as somebody else must not get a session of that user's own.
  const canRenew = expired && readStored('impersonation') === undefined;
  if (canRenew) {
    renewal ??= renew().finally(() => {
      renewal = undefined;
    });
    if (await renewal) return true;
  }
  forgetSignIn();
  for (const listener of listeners) listener({ expired });
  return false;
}

async function renew(): Promise<boolean> {
  const query = queryString({ grant_type: 'refresh_token' });
  try {
    const { ok } = await fetch(`${basePath()}${sessions.renewSession.path}${query}`, { method: 'POST' });
    return ok;
  } catch {
    return false;
  }
}

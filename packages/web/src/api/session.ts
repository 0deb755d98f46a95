import { sessions } from '@millrace/contract';
import { readStored, writeStored } from '../storage/storage.ts';
import { queryString } from './queryString.ts';
import { basePath } from './tenant.ts';

/**
 * Handles the response "not signed in". Without a user there is nothing to renew: the
 * shell shows the login page. With one, the session may merely have run out: it is renewed once for all calls that
 * fail meanwhile, in all tabs, and each of them is tried again. The cookies cannot be read from here, so a stored
 * name stands for "a user signed in in this browser".
 */
export const signedInUser = (): string | undefined => readStored('signedIn');

/** The last session expired here and no user has signed in since: every refusal now has that cause. */
let hasRunOut = false;

export function rememberSignIn(username: string): void {
  hasRunOut = false;
  writeStored('signedIn', username);
}

export function clearSignIn(): void {
  hasRunOut = false;
  writeStored('signedIn', undefined);
}

/** `expired`: there was a user. */
export interface LostSession {
  readonly expired: boolean;
}

const listeners = new Set<(lost: LostSession) => void>();
/** Lost before a listener subscribed: the first calls are under way while the app still starts. */
let unheard: LostSession | undefined;

export function onSessionLost(listener: (lost: LostSession) => void): () => void {
  listeners.add(listener);
  if (unheard) listener(unheard);
  unheard = undefined;
  return () => listeners.delete(listener);
}

/** The result of a renewal. Without a response it is unknown, and the user stays signed in. */
type Renewal = 'renewed' | 'refused' | 'unanswered';

const timeoutMs = 15_000;
const lockName = 'millrace.session';
let renewal: Promise<Renewal> | undefined;

/** True when there is a new session since the refused call was sent, so that it may be tried again. */
export async function recoverSession(sentAt: number): Promise<boolean> {
  const isSignedIn = signedInUser() !== undefined;
  // A user who impersonates another must not get a session of that user.
  const canRenew = isSignedIn && readStored('impersonation') === undefined;
  if (canRenew) {
    renewal ??= renewInTurn(sentAt).finally(() => {
      renewal = undefined;
    });
    const outcome = await renewal;
    // A page that is being left gives up its calls: the next one finds the session as it was.
    if (outcome !== 'refused') return outcome === 'renewed';
  }
  const expired = isSignedIn || hasRunOut;
  clearSignIn();
  hasRunOut = expired;
  if (listeners.size === 0) unheard = { expired: unheard?.expired || expired };
  for (const listener of listeners) listener({ expired });
  return false;
}

/** One tab after the other, so that a waiting tab finds the session renewed. Plain HTTP has no locks: the server copes. */
async function renewInTurn(sentAt: number): Promise<Renewal> {
  const attempt = () => (wasRenewedSince(sentAt) ? 'renewed' : renew());
  const locks = navigator.locks as LockManager | undefined; // Browsers leave it out where the page is not secure.
  return locks ? await locks.request(lockName, attempt) : await attempt();
}

const wasRenewedSince = (time: number): boolean => Number(readStored('sessionRenewedAt') ?? 0) >= time;

async function renew(): Promise<Renewal> {
  const query = queryString({ grant_type: 'refresh_token' });
  try {
    const { ok } = await fetch(`${basePath()}${sessions.renewSession.path}${query}`, {
      method: 'POST',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (ok) writeStored('sessionRenewedAt', String(Date.now()));
    return ok ? 'renewed' : 'refused';
  } catch {
    return 'unanswered';
  }
}

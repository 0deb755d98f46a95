import type { Effect } from '@millrace/engine';

/** An effect that a worker in another process can carry out: an attempt, or the folder that attempts share. */
export type RemoteEffect = Extract<Effect, { effect: 'run' | 'openDirectory' | 'closeDirectory' }>;

export function mayBeRemote(effect: Effect): effect is RemoteEffect {
  return effect.effect === 'run' || effect.effect === 'openDirectory' || effect.effect === 'closeDirectory';
}

import type { ExecutionRecord, Flow } from '@millrace/contract';
import type { Effect, LiveRun } from '@millrace/engine';
import type { Op } from '@millrace/store';

type Of<E extends Effect['effect']> = Extract<Effect, { effect: E }>;

/** What may be work for another process: an attempt, or the folder that attempts share. */
export type RemoteEffect = Of<'run' | 'openDirectory' | 'closeDirectory'>;

export function mayBeRemote(effect: Effect): effect is RemoteEffect {
  return effect.effect === 'run' || effect.effect === 'openDirectory' || effect.effect === 'closeDirectory';
}

/** What the executor sets off in the rest of the process. Nothing here may throw. */
export interface Effects {
  /** Dates that executions of this process wait for. */
  readonly timerCount: number;
  submit(executionId: string, effect: Of<'run'>): void;
  /** It is stored and wants to start: now, at its date, or when there is a place for it. */
  created(flow: Flow, execution: ExecutionRecord): void;
  /** It was loaded after a restart: the dates it waits for. */
  wakes(run: LiveRun): void;
  interrupt(taskRunIds: readonly string[]): void;
  wake(run: LiveRun, effect: Of<'wake'>): void;
  resolve(run: LiveRun, effect: Of<'resolve'>): void;
  directory(run: LiveRun, effect: Of<'openDirectory' | 'closeDirectory'>): void;
  createChild(run: LiveRun, effect: Of<'createChild'>): void;
  killChildren(run: LiveRun): void;
  replay(run: LiveRun): void;
  chooseListeners(run: LiveRun): void;
  /** Another server carries it on: what runs for it here is given up without an answer. */
  lost(executionId: string): void;
  /** Nobody knows what became of a commit: whatever is stored goes on. */
  takeUp(executionId: string): void;
  /** What a caller elsewhere must be told of an end: it commits with the end, so that nobody's death gets in between. */
  endOps(execution: ExecutionRecord): Promise<readonly Op[]>;
  /** Whether a folder that tasks of this execution share is here, or with a worker that is alive. */
  hasFolder(executionId: string, folder: { readonly directory: string; readonly holder?: string }): boolean;
  /** Whether a worker of this process has the attempt. */
  isUnderWay(taskRunId: string, attempt: number): boolean;
  /** Everything of it is over, or it is gone. */
  ended(execution: ExecutionRecord, isParentTold?: boolean): void;
}

/** Hands each effect of a committed step to its handler. One that fails does not keep the others from happening. */
export function performEffects(
  run: LiveRun,
  effects: readonly Effect[],
  to: Effects,
  isParentTold: boolean,
): void {
  const errors: unknown[] = [];
  for (const effect of effects) {
    try {
      performEffect(run, effect, to, isParentTold);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

function performEffect(run: LiveRun, effect: Effect, to: Effects, isParentTold: boolean): void {
  switch (effect.effect) {
    case 'run':
      to.submit(run.execution.id, effect);
      break;
    case 'interrupt':
      to.interrupt(effect.taskRunIds);
      break;
    case 'wake':
      to.wake(run, effect);
      break;
    case 'resolve':
      to.resolve(run, effect);
      break;
    case 'openDirectory':
    case 'closeDirectory':
      to.directory(run, effect);
      break;
    case 'createChild':
      to.createChild(run, effect);
      break;
    case 'killChildren':
      to.killChildren(run);
      break;
    case 'replay':
      to.replay(run);
      break;
    case 'completed':
      to.ended(run.execution, isParentTold);
      break;
    case 'chooseListeners':
      to.chooseListeners(run);
      break;
    case 'log':
    case 'stateChanged':
      // Both were stored with the step: as log lines, and as events for flow triggers.
      break;
  }
}

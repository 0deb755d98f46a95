import type { Effect } from '../run/effect.ts';
import type { Simulated } from './simulated.ts';

type Of<E extends Effect['effect']> = Extract<Effect, { effect: E }>;

const childStates = ['SUCCESS', 'SUCCESS', 'FAILED', 'WARNING', 'KILLED', 'CANCELLED'] as const;

/** Simulated responses to the engine's effects: late, duplicate, wrong or failed. */
export function reactTo(effect: Effect, simulation: Simulated): void {
  const { random, now } = simulation;
  switch (effect.effect) {
    case 'run':
      return work(effect, simulation);
    case 'wake':
      return simulation.post({ type: 'woken', wake: effect.wake }, Math.max(0, effect.wake.at - now));
    case 'chooseListeners':
      return simulation.post({ type: 'listenersChosen', indexes: [0] });
    case 'resolve':
      return resolve(effect, simulation);
    case 'openDirectory':
    case 'closeDirectory': {
      const phase = effect.effect === 'openDirectory' ? 'opened' : 'closed';
      const { taskRunId, directory } = effect;
      const failure = random.chance(0.03) ? { error: 'no space' } : {};
      return simulation.post(
        { type: 'directory', taskRunId, phase, directory, ...failure },
        random.below(50),
      );
    }
    case 'createChild':
      return createChild(effect, simulation);
    case 'interrupt':
      for (const taskRunId of effect.taskRunIds) {
        const attempt = (simulation.live.taskRun(taskRunId)?.attempts.length ?? 1) - 1;
        simulation.post({ type: 'taskEnded', taskRunId, attempt, state: 'KILLED' }, random.below(500));
      }
  }
}

function work({ taskRunId, attempt }: Of<'run'>, simulation: Simulated): void {
  const { random, world } = simulation;
  simulation.post({ type: 'taskStarted', taskRunId, attempt }, random.below(20));
  const endsIn = 20 + random.below(3000);
  if (random.chance(world.loss)) simulation.post({ type: 'workerLost', taskRunId, attempt }, endsIn);
  const state = random.chance(world.failure) ? 'FAILED' : random.chance(0.05) ? 'WARNING' : 'SUCCESS';
  const ended = { type: 'taskEnded', taskRunId, attempt } as const;
  simulation.post({ ...ended, state, outputs: { attempt } }, endsIn);
  if (random.chance(world.duplicate))
    simulation.post({ ...ended, state: 'SUCCESS', outputs: { attempt: -1 } }, endsIn + random.below(2000));
}

/** Returns a random value that can be a condition, a duration, a list or the batches of a file. */
function resolve({ taskRunId, key, expression }: Of<'resolve'>, simulation: Simulated): void {
  const { random } = simulation;
  const about = taskRunId === undefined ? { key } : { taskRunId, key };
  const value = String(expression).includes('splits')
    ? ['', 'a\n', 'a\nb\n'][random.below(3)]
    : String(expression).includes("'list'")
      ? random.pick(['[]', '["x","y"]', 'no list'])
      : random.pick(['', 'yes', 'PT1S']);
  const result = random.chance(0.1) ? { error: 'the store is away' } : { value };
  simulation.post({ type: 'resolved', ...about, result }, random.below(200));
}

/** A child that ended may end again, differently: its user has restarted it. */
function createChild({ taskRunId, index, attempt }: Of<'createChild'>, simulation: Simulated): void {
  const { random } = simulation;
  if (random.chance(0.1))
    return simulation.post({ type: 'childRefused', taskRunId, index, reason: 'no such flow' });
  const child = { taskRunId, index, executionId: `child${attempt}` };
  simulation.post({ type: 'childCreated', ...child });
  const endsIn = random.below(5000);
  simulation.post({ type: 'childEnded', ...child, state: random.pick(childStates) }, endsIn);
  if (random.chance(0.2))
    simulation.post({ type: 'childEnded', ...child, state: 'SUCCESS' }, endsIn + random.below(20_000));
}

import type { StateType, TaskRunRecord } from '@millrace/contract';
import type { Effect } from '../run/effect.ts';
import type { DryRunState } from './dryRunState.ts';
import { generateInput, generateOutputs } from './generate.ts';
import type { TaskFixture, Values } from './types.ts';

type CreateChild = Extract<Effect, { effect: 'createChild' }>;

/** A child execution that ends at once: in the state of its fixture, with declared, expected or fixed outputs. */
export function childEnd(dry: DryRunState, effect: CreateChild): void {
  const { taskRunId, index, request } = effect;
  const run = dry.live.taskRun(taskRunId);
  if (!run) return;
  const fixture = dry.fixtures.of(run);
  const child = { taskRunId, index, executionId: childId(fixture, request) };
  dry.post({ type: 'childCreated', ...child });
  dry.sources.set(run.id, fixture ? (fixture.from === 'execution' ? 'execution' : 'pinned') : 'generated');
  const baseUri = fixture?.outputs?.subflowOutputsBaseUri;
  const outputs = request.storesOutputs ? undefined : outputsOf(dry, run, effect, fixture);
  dry.post({
    type: 'childEnded',
    ...child,
    state: stateOf(fixture, index),
    ...(outputs && { outputs }),
    ...(request.storesOutputs && typeof baseUri === 'string' ? { outputsBaseUri: baseUri } : {}),
  });
}

function childId(fixture: TaskFixture | undefined, request: CreateChild['request']): string {
  const known = fixture?.outputs?.executionId;
  return typeof known === 'string' ? known : `dryrun-${request.namespace}.${request.flowId}`;
}

const endStates: ReadonlySet<string> = new Set(['SUCCESS', 'WARNING', 'FAILED', 'KILLED', 'CANCELLED']);

/** The state of a child: its entry in the outputs of the fixture, that of its batch, or that of the whole task. */
function stateOf(fixture: TaskFixture | undefined, index: number): StateType {
  const iterations = fixture?.outputs?.iterations;
  if (typeof iterations === 'object' && iterations !== null) {
    const states = Object.entries(iterations).flatMap(([state, count]) =>
      endStates.has(state) ? Array.from({ length: Math.min(Number(count), 1_000) }, () => state) : [],
    );
    return (states[index] ?? 'SUCCESS') as StateType; // Only states of `endStates`.
  }
  const own = fixture?.outputs?.state;
  if (typeof own === 'string' && endStates.has(own)) return own as StateType;
  return fixture?.state === undefined || fixture.state === 'SKIPPED' ? 'SUCCESS' : fixture.state;
}

function outputsOf(
  dry: DryRunState,
  run: TaskRunRecord,
  { request }: CreateChild,
  fixture: TaskFixture | undefined,
): Values | undefined {
  if (fixture) {
    const given = fixture.outputs?.outputs;
    return typeof given === 'object' && given !== null ? { ...given } : undefined;
  }
  dry.outside.assume('subflow', `${request.namespace}.${request.flowId}`, undefined);
  dry.generated.add(run.taskId);
  const declared = dry.options.subflowOutputs?.(request.namespace, request.flowId);
  if (declared) return Object.fromEntries(declared.map((output) => [output.id, generateInput(output)]));
  return generateOutputs(undefined, dry.wanted.get(run.taskId)?.keys.get('outputs'));
}

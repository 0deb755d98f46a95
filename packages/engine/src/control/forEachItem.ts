import type { StateType, Task } from '@millrace/contract';
import type { Calling, Container } from './control.ts';
import { checkIterations } from './iterationLimit.ts';
import { sequence } from './plan.ts';
import { childRequest, restarts, settleFlags, transmits, waits } from './subflow.ts';

export const splitType = 'core.flow.ForEachItem.Split';
export const itemsType = 'core.flow.ForEachItem.Items';
export const mergeType = 'core.flow.ForEachItem.Merge';

/** ForEachItem is a sequence of three tasks: split the file, run a child per batch, merge the outputs. */
export const forEachItem: Container = {
  kind: 'container',
  plan: ({ task, maxIterations }) => sequence(stagesOf(task, maxIterations)),
};

/** The three inner tasks of a ForEachItem. `allowFailure`, `retry` and the like apply only to the whole. */
export function stagesOf(task: Task, maxBatches: number): readonly Task[] {
  const {
    errors: _,
    finally: __,
    allowFailure: ___,
    allowWarning: ____,
    retry: _____,
    runIf: ______,
    ...properties
  } = task;
  return [
    {
      id: `${task.id}_split`,
      type: splitType,
      items: task.items,
      ...(task.batch === undefined ? {} : { batch: task.batch }),
      maxBatches,
    },
    {
      ...properties,
      id: `${task.id}_items`,
      type: itemsType,
      splits: `{{ read(currentEachOutput(outputs['${task.id}_split']).splits) }}`,
    },
    {
      id: `${task.id}_merge`,
      type: mergeType,
      baseUri: `{{ currentEachOutput(outputs['${task.id}_items']).subflowOutputsBaseUri ?? '' }}`,
      batches: `{{ currentEachOutput(outputs['${task.id}_items']).numberOfBatches ?? 0 }}`,
    },
  ];
}

/**
 * One child execution per batch; its inputs can use `taskrun.items` and `taskrun.iteration`. The outputs of
 * the children are stored in files, one per batch below `subflowOutputsBaseUri`, because there may be very
 * many of them.
 */
export const items: Calling = {
  kind: 'calling',
  requests: (context) => {
    settleFlags(context);
    const batches = context
      .text('splits', String(context.task.splits))
      .split('\n')
      .filter((line) => line !== '');
    checkIterations(batches.length, 0, context.maxIterations);
    return batches.map((uri, index) => ({
      ...childRequest(context.forItem(index + 1, uri)),
      storesOutputs: true,
    }));
  },
  waits,
  transmits,
  restarts,
  outputs: (context, children) => {
    const baseUri = children.find((child) => child.outputsBaseUri !== undefined)?.outputsBaseUri;
    return {
      numberOfBatches: children.length,
      iterations: countStates(children, waits(context)),
      ...(baseUri === undefined ? {} : { subflowOutputsBaseUri: baseUri }),
    };
  },
};

/** Without `wait` a child counts as SUCCESS once it is created. States without a child count zero. */
function countStates(
  children: readonly { readonly state: StateType }[],
  isAwaited: boolean,
): Readonly<Record<string, number>> {
  const counts: Record<string, number> = Object.fromEntries(countedStates.map((state) => [state, 0]));
  for (const child of children) {
    const state = isAwaited ? child.state : 'SUCCESS';
    counts[state] = (counts[state] ?? 0) + 1;
  }
  return counts;
}

const countedStates: readonly StateType[] = [
  'CREATED',
  'RUNNING',
  'SUCCESS',
  'WARNING',
  'FAILED',
  'KILLED',
  'CANCELLED',
];

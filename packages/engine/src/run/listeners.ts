import type { StateType } from '@millrace/contract';
import type { Host } from '@millrace/expression';
import { allHold, conditionsOf } from '../conditions/evaluateCondition.ts';
import { type Plan, sequence } from '../control/plan.ts';
import type { Zone } from '../schedule/zone.ts';
import type { Run } from './run.ts';
import { variablesOf } from './variables.ts';

/** The tasks of every listener whose conditions held when the execution ended; 'pending' until that is known. */
export function listenerPlan(run: Run): Plan | 'pending' | undefined {
  const { listeners } = run.flow;
  if (!listeners || listeners.length === 0) return undefined;
  const chosen = run.execution.memo?.listeners as readonly number[] | undefined;
  if (!chosen) return 'pending';
  return sequence(
    chosen.flatMap((index) => listeners[index]?.tasks ?? []),
    false,
  );
}

/** The listeners whose conditions hold. Conditions may need the host, so the shell evaluates them. */
export async function chooseListeners(run: Run, host: Host, zone: Zone): Promise<readonly number[]> {
  const { execution, flow } = run;
  const attempts = [...run.nodes.values()].map(({ record }) =>
    record.attempts.map((attempt) => attempt.state.current),
  );
  const context = {
    variables: variablesOf(run),
    host,
    zone,
    flow,
    execution: {
      id: execution.id,
      namespace: execution.namespace,
      flowId: execution.flowId,
      flowRevision: execution.flowRevision,
      state: execution.state.current as StateType,
      labels: execution.labels,
      ...(execution.outputs ? { outputs: execution.outputs } : {}),
      attempts,
    },
  };
  const chosen: number[] = [];
  for (const [index, listener] of (flow.listeners ?? []).entries()) {
    if (await allHold(conditionsOf(listener.conditions), context)) chosen.push(index);
  }
  return chosen;
}

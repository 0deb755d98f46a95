import type { Execution, FlowTopology } from '@millrace/contract';
import { parentOf } from './parentOf.ts';

const correlationKey = 'system.correlationId';

/** The label that an execution shares with all that it led to and that led to it. */
export const correlationOf = ({ labels, id }: Pick<Execution, 'labels' | 'id'>): string =>
  `${correlationKey}:${labels.find(({ key }) => key === correlationKey)?.value ?? id}`;

/** Executions as a graph: each starts those that its arrows lead to. */
export function executionTies(executions: readonly Execution[]): FlowTopology {
  const known = new Set(executions.map(({ id }) => id));
  return {
    nodes: executions.map(({ id, namespace }) => ({ uid: id, namespace, id })),
    edges: executions.flatMap((execution) => {
      const parent = parentOf(execution);
      if (!parent || !known.has(parent.id)) return [];
      const relation = execution.trigger?.type.endsWith('.trigger.Flow') ? 'FLOW_TRIGGER' : 'FLOW_TASK';
      return [{ source: parent.id, target: execution.id, relation } as const];
    }),
  };
}

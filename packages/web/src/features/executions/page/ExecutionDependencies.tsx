import { type Execution, type FlowTopology, isTerminal } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { BrokenPart, EmptyState, Loading, StatePill } from '../../../ui/index.ts';
import { DependencyGraph } from '../../dependencies/index.ts';
import { ExecutionLink, parentOf } from '../ExecutionLink.tsx';
import { executionsQuery } from '../queries.ts';
import styles from './ExecutionDependencies.module.css';
import tabStyles from './ExecutionTab.module.css';
import type { ExecutionTabProps } from './tabParts.ts';

/** A picture of more would show nothing; the list of executions finds the rest by their label. */
const mostShown = 100;
const refreshMs = 2_000;

/** The executions that led to this one and that it led to, each with its state. */
export function ExecutionDependencies({ execution }: ExecutionTabProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    ...executionsQuery({ labels: [correlationOf(execution)], timeRange: 'P365D', size: mostShown }),
    // A subflow, or a flow that waits for the end of this one, may begin at any time until then.
    refetchInterval: ({ state }) =>
      state.data?.results.every((one) => isTerminal(one.state.current)) ? false : refreshMs,
  });
  const found = data?.results;
  const topology = useMemo(() => relatedExecutions(found ?? []), [found]);
  const cards = useMemo(
    () => new Map((found ?? []).map((one) => [one.id, <ExecutionCard key={one.id} execution={one} />])),
    [found],
  );
  if (!found) return error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />;
  if (topology.edges.length === 0)
    return (
      <EmptyState
        illustration="dryRace"
        title={t('dependencies.none')}
        text={t('dependencies.noneOfExecution')}
      />
    );
  return (
    <div className={tabStyles.stack}>
      <DependencyGraph
        topology={topology}
        currentUid={execution.id}
        cards={cards}
        label={t('dependencies.executionsLabel')}
      />
    </div>
  );
}

function ExecutionCard({ execution }: { execution: Execution }) {
  const { id, namespace, flowId, state } = execution;
  return (
    <>
      <ExecutionLink {...{ id, namespace, flowId }} tab="dependencies" className={styles.flow}>
        {flowId}
      </ExecutionLink>
      <span className={styles.state}>
        <StatePill state={state.current} size="sm" />
        <code title={id}>{id.slice(0, 8)}</code>
      </span>
    </>
  );
}

const correlationKey = 'system.correlationId';

/** The label that an execution shares with all that it led to and that led to it. */
const correlationOf = ({ labels, id }: Pick<Execution, 'labels' | 'id'>): string =>
  `${correlationKey}:${labels.find(({ key }) => key === correlationKey)?.value ?? id}`;

/** Executions as a graph: each starts those that its arrows lead to. */
function relatedExecutions(executions: readonly Execution[]): FlowTopology {
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

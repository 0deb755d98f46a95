import type { TaskRun } from '@millrace/contract';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { EmptyState, Loading } from '../../../ui/index.ts';
import { useIterations } from '../../iterations/index.ts';
import { useSubflowGraph } from '../../subflows/index.ts';
import { executionGraph } from '../queries.ts';
import styles from './ExecutionTab.module.css';
import { OpenIteration } from './OpenIteration.tsx';
import { TaskRunPanel } from './TaskRunPanel.tsx';
import { type ExecutionTabProps, Topology } from './tabParts.ts';

export function ExecutionGraph(props: ExecutionTabProps) {
  const { execution, selectedId, onSelect, search, keep } = props;
  const { t } = useTranslation();
  const iterations = useIterations(execution, search.iteration, selectedId);
  const { graph, error, subflows } = useSubflowGraph(executionGraph(execution.id), {
    open: search.subflows,
    onOpen: (names) => keep({ subflows: names }),
  });
  if (error)
    return <EmptyState illustration="closedGate" title={t('flow.noTopology')} detail={error.message} />;
  if (!graph) return <Loading />;
  const { shown, folded } = iterations;
  const runs = shown.taskRunList ?? [];
  return (
    <div className={styles.stack}>
      <OpenIteration iterations={iterations} selectedId={selectedId} keep={keep} />
      <div className={`${styles.view} ${styles.framed}`}>
        <Topology
          graph={graph}
          execution={shown}
          subflows={subflows}
          selectedTaskId={folded.byId.get(selectedId ?? '')?.taskId}
          onSelect={(node) => onSelect(runToSelect(runs.filter(({ taskId }) => taskId === node.task?.id)))}
        />
      </div>
      <TaskRunPanel {...props} iterations={iterations} />
    </div>
  );
}

/** Several runs of a task are iterations: the loop around the last of them lists them. */
function runToSelect(runs: readonly TaskRun[]): string | undefined {
  const last = runs.at(-1);
  const isFolded = last?.value !== undefined && runs.some(({ value }) => value !== last.value);
  return isFolded ? last?.parentTaskRunId : last?.id;
}

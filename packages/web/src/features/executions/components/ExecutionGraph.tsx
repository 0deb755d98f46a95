import { useTranslation } from 'react-i18next';
import { EmptyState, Loading } from '../../../ui/index.ts';
import { useSubflowGraph } from '../../subflows/index.ts';
import { executionGraph } from '../queries.ts';
import styles from './ExecutionTab.module.css';
import type { ExecutionTabProps } from './ExecutionTab.tsx';
import { Topology } from './largeParts.ts';
import { TaskRunPanel } from './TaskRunPanel.tsx';

export function ExecutionGraph(props: ExecutionTabProps) {
  const { execution, selectedId, onSelect, search, keep } = props;
  const { t } = useTranslation();
  const { graph, error, subflows } = useSubflowGraph(executionGraph(execution.id), {
    open: search.subflows,
    onOpen: (names) => keep({ subflows: names }),
  });
  if (error)
    return <EmptyState illustration="closedGate" title={t('flow.noTopology')} detail={error.message} />;
  if (!graph) return <Loading />;
  const runs = execution.taskRunList ?? [];
  const selectedTaskId = runs.find((run) => run.id === selectedId)?.taskId;
  return (
    <div className={styles.stack}>
      <div className={`${styles.view} ${styles.framed}`}>
        <Topology
          graph={graph}
          execution={execution}
          subflows={subflows}
          {...(selectedTaskId && { selectedTaskId })}
          // A task in a loop has many runs; the newest stands for it.
          onSelect={(node) => onSelect(runs.findLast((run) => run.taskId === node.task?.id)?.id)}
        />
      </div>
      <TaskRunPanel {...props} />
    </div>
  );
}

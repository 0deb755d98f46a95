import { useIterations } from '../../iterations/index.ts';
import styles from './ExecutionTab.module.css';
import type { ExecutionTabProps } from './executionTabProps.ts';
import { Gantt } from './largeParts.ts';
import { OpenIteration } from './OpenIteration.tsx';
import { TaskRunPanel } from './TaskRunPanel.tsx';

export function ExecutionTimeline(props: ExecutionTabProps) {
  const { execution, selectedId, onSelect, search, keep } = props;
  const iterations = useIterations(execution, search.iteration);
  return (
    <div className={styles.stack}>
      <OpenIteration iterations={iterations} selectedId={selectedId} keep={keep} />
      <div className={`${styles.view} ${styles.fit}`} id="gantt">
        <Gantt
          execution={iterations.shown}
          iterations={iterations}
          {...(selectedId && { selectedTaskRunId: selectedId })}
          onSelect={(taskRunId) => onSelect(taskRunId === selectedId ? undefined : taskRunId)}
        />
      </div>
      <TaskRunPanel {...props} iterations={iterations} />
    </div>
  );
}

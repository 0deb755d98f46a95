import { useIterations } from '../../iterations/index.ts';
import styles from './ExecutionTab.module.css';
import { OpenIteration } from './OpenIteration.tsx';
import { TaskRunPanel } from './TaskRunPanel.tsx';
import { type ExecutionTabProps, Gantt } from './tabParts.ts';

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

import styles from './ExecutionTab.module.css';
import type { ExecutionTabProps } from './ExecutionTab.tsx';
import { Gantt } from './largeParts.ts';
import { TaskRunPanel } from './TaskRunPanel.tsx';

export function ExecutionTimeline(props: ExecutionTabProps) {
  const { execution, selectedId, onSelect } = props;
  return (
    <div className={styles.stack}>
      <div className={`${styles.view} ${styles.fit}`} id="gantt">
        <Gantt
          execution={execution}
          {...(selectedId && { selectedTaskRunId: selectedId })}
          onSelect={(taskRunId) => onSelect(taskRunId === selectedId ? undefined : taskRunId)}
        />
      </div>
      <TaskRunPanel {...props} />
    </div>
  );
}

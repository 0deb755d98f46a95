import { lazy } from 'react';
import styles from './ExecutionTab.module.css';
import type { ExecutionTabProps } from './ExecutionTab.tsx';
import { TaskRunPanel } from './TaskRunPanel.tsx';

const Gantt = lazy(() => import('../../gantt/index.ts').then((module) => ({ default: module.Gantt })));

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

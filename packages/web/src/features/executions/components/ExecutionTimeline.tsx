import { lazy } from 'react';
import styles from './ExecutionTab.module.css';
import type { ExecutionTabProps } from './ExecutionTab.tsx';
import { TaskRunPanel } from './TaskRunPanel.tsx';

const Gantt = lazy(() => import('../../gantt/index.ts').then((module) => ({ default: module.Gantt })));

export function ExecutionTimeline({ execution, isLive, selectedId, onSelect }: ExecutionTabProps) {
  return (
    <div className={styles.stack}>
      <div className={`${styles.view} ${styles.fit}`} id="gantt">
        <Gantt
          execution={execution}
          {...(selectedId && { selectedTaskRunId: selectedId })}
          onSelect={(taskRunId) => onSelect(taskRunId === selectedId ? undefined : taskRunId)}
        />
      </div>
      <TaskRunPanel execution={execution} isLive={isLive} selectedId={selectedId} onSelect={onSelect} />
    </div>
  );
}

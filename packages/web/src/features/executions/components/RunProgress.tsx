import type { Execution, StateType } from '@millrace/contract';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../format/number.ts';
import { stateColours } from '../../../ui/index.ts';
import { leafRuns } from '../failure.ts';
import { moreTaskRuns } from './MoreTaskRuns.tsx';
import styles from './RunProgress.module.css';

/** The task runs of an execution by state, as one thin band. */
export function RunProgress({ execution }: { execution: Execution }) {
  const { t } = useTranslation();
  const counts = new Map<StateType, number>();
  for (const run of leafRuns(execution))
    counts.set(run.state.current, (counts.get(run.state.current) ?? 0) + 1);
  const parts = [...counts].map(([state, count]) => `${formatNumber(count)} ${t(`state.${state}`)}`);
  const label = [...parts, moreTaskRuns(execution, t)].filter(Boolean).join(', ');
  return (
    <div className={styles.band} role="img" aria-label={label || t('execution.noTasks')} title={label}>
      {[...counts].map(([state, count]) => (
        <span key={state} data-state={state} style={{ ...stateColours(state), flexGrow: count }} />
      ))}
    </div>
  );
}

import type { TaskRun } from '@millrace/contract';
import { useTranslation } from 'react-i18next';
import { CopiedMark, EmptyState, StatePill } from '../../../ui/index.ts';
import styles from './ExecutionOutputs.module.css';
import type { ExecutionTabProps } from './ExecutionTab.tsx';
import { ValueTree } from './ValueTree.tsx';

const hasOutputs = ({ outputs }: TaskRun): boolean => outputs !== null && Object.keys(outputs).length > 0;

/** What each task run made: task runs on the left, the values of the selected one on the right. */
export function ExecutionOutputs({ execution, selectedId, onSelect }: ExecutionTabProps) {
  const { t } = useTranslation();
  const runs = execution.taskRunList ?? [];
  const withOutputs = runs.filter(hasOutputs);
  const selected = runs.find((run) => run.id === selectedId) ?? withOutputs[0];
  if (!selected || (withOutputs.length === 0 && !selectedId))
    return <EmptyState illustration="stillWater" title={t('output.none')} text={t('output.noneText')} />;
  // The selected run is listed even when it made nothing, so that the selection never disappears.
  const listed = withOutputs.includes(selected) ? withOutputs : [selected, ...withOutputs];
  return (
    <div className={styles.outputs}>
      <ul className={styles.runs}>
        {listed.map((run) => (
          <li key={run.id}>
            <button
              type="button"
              className={styles.run}
              aria-pressed={run === selected}
              onClick={() => onSelect(run.id)}
            >
              <span className={styles.name}>
                {run.taskId}
                {run.value && <span className={styles.value}> {run.value}</span>}
              </span>
              {run.copied && <CopiedMark />}
              <StatePill state={run.state.current} size="sm" />
            </button>
          </li>
        ))}
      </ul>
      <section className={styles.values} aria-label={selected.taskId}>
        {hasOutputs(selected) ? (
          <ValueTree values={selected.outputs ?? {}} executionId={execution.id} />
        ) : (
          <p className={styles.nothing}>{t('output.nothing', { id: selected.taskId })}</p>
        )}
      </section>
    </div>
  );
}

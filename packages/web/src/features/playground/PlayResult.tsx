import { type Execution, isTerminal } from '@millrace/contract';
import { Suspense, useEffect, useEffectEvent, useState } from 'react';
import { useFollowedExecution } from '../../api/follow.ts';
import { openTime } from '../../format/openTime.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Loading, StatePill, TimeOpen } from '../../ui/index.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { ExecutionLink } from '../executions/index.ts';
import type { LogChoice } from '../logs/index.ts';
import styles from './PlaygroundSide.module.css';

const LogView = lazyPart(() => import('../logs/index.ts'), 'LogView');
const maxCharacters = 20_000;

interface PlayResultProps {
  readonly execution: Execution;
  readonly taskId: string;
  /** Its outputs can be reused from now on. */
  onEnd(): void;
}

/** The state, the outputs and the log of the task that ran, beside the text. */
export function PlayResult({ execution: started, taskId, onEnd }: PlayResultProps) {
  const { t } = useTranslation();
  const { data: execution = started } = useFollowedExecution(started.id);
  const [choice, setChoice] = useState<LogChoice>({});
  const isOver = isTerminal(execution.state.current);
  const report = useEffectEvent(onEnd);
  useEffect(() => {
    if (isOver) report();
  }, [isOver]);
  const run = execution.taskRunList?.findLast((one) => one.taskId === taskId);
  const { state } = run ?? execution;
  const outputs = run?.outputs && Object.keys(run.outputs).length > 0 ? run.outputs : undefined;
  const { namespace, flowId, id } = execution;
  return (
    <section className={styles.result} aria-label={t('playground.result')}>
      <div className={styles.row} role="status">
        <code className={styles.name}>{taskId}</code>
        <StatePill state={state.current} size="sm" />
        <span className={styles.muted}>
          <TimeOpen time={openTime(state)} />
        </span>
        <ExecutionLink namespace={namespace} flowId={flowId} id={id} className={styles.open}>
          {t('playground.open')}
        </ExecutionLink>
      </div>
      {isOver && !run && <p className={styles.note}>{t('playground.notRun', { id: taskId })}</p>}
      {outputs && (
        <>
          <h3 className={styles.heading}>{t('dryRun.outputs')}</h3>
          <pre className={styles.code}>{cut(JSON.stringify(outputs, null, 2))}</pre>
        </>
      )}
      <h3 className={styles.heading}>{t('dryRun.logs')}</h3>
      <div className={styles.log}>
        <Suspense fallback={<Loading />}>
          <LogView
            executionId={id}
            taskRunId={run && !hasChildren(execution, run.id) ? run.id : undefined}
            live={!isOver}
            choice={choice}
            onChoose={(part) => setChoice((before) => ({ ...before, ...part }))}
          />
        </Suspense>
      </div>
    </section>
  );
}

/** The log of a container is the log of its tasks. */
const hasChildren = ({ taskRunList = [] }: Execution, id: string): boolean =>
  taskRunList.some(({ parentTaskRunId }) => parentTaskRunId === id);

const cut = (text: string): string =>
  text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;

import type { TaskRun } from '@millrace/contract';
import { Suspense } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { lazyPart } from '../../../ui/lazyPart.tsx';
import styles from './ExecutionLogs.module.css';

const FileValue = lazyPart(() => import('../files/FileValue.tsx'), 'FileValue');

/** The log files of the attempts of a task run, written instead of the log or beyond its limit. */
export function LogFiles({ executionId, run }: { executionId: string; run: TaskRun }) {
  const { t } = useTranslation();
  return (run.attempts ?? []).map(({ logFile }, index) =>
    logFile === undefined ? null : (
      <span key={logFile} className={styles.file}>
        {t('logs.file', { attempt: index + 1 })}
        <Suspense>
          <FileValue executionId={executionId} uri={logFile} />
        </Suspense>
      </span>
    ),
  );
}

import type { TaskRun } from '@millrace/contract';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './ExecutionLogs.module.css';

const FileValue = lazy(() =>
  import('../files/FileValue.tsx').then((module) => ({ default: module.FileValue })),
);

/** What attempts of a task run have said into files, instead of the log or beyond what it holds. */
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

import type { LogEntry, TaskRun } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { formatNumber } from '../../format/number.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { BrokenPart, Loading } from '../../ui/index.ts';
import styles from './ComparedDetail.module.css';
import { mostLines, pairLogs, type SideIds } from './pairLogs.ts';
import { taskRunLogQuery } from './queries.ts';

interface LogDiffProps {
  left: TaskRun | undefined;
  right: TaskRun | undefined;
  ids: SideIds;
}

/** The logs of two task runs side by side; lines that both wrote stand beside each other. */
export function LogDiff({ left, right, ids }: LogDiffProps) {
  const { t } = useTranslation();
  const [before, after] = [useLog(left), useLog(right)];
  const pairs = useMemo(
    () => pairLogs(before.data ?? [], after.data ?? [], ids),
    [before.data, after.data, ids],
  );
  const error = before.error ?? after.error;
  if (error)
    return (
      <BrokenPart
        error={error}
        onRetry={() => {
          void before.refetch();
          void after.refetch();
        }}
      />
    );
  if ((left && !before.data) || (right && !after.data)) return <Loading />;
  if (pairs.length === 0) return <p className={styles.quiet}>{t('compare.noLogs')}</p>;
  const longest = Math.max(before.data?.length ?? 0, after.data?.length ?? 0);
  return (
    <>
      {longest > mostLines && (
        <p className={styles.quiet}>{t('compare.lastLines', { count: formatNumber(mostLines) })}</p>
      )}
      <div className={styles.log}>
        <span className={styles.columnName}>{t('compare.left')}</span>
        <span className={styles.columnName}>{t('compare.right')}</span>
        {pairs.map((pair, row) => {
          const isSame = pair.left !== undefined && pair.right !== undefined && pair.isSame;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a comparison never move.
            <LogPair key={row} left={pair.left} right={pair.right} isSame={isSame} />
          );
        })}
      </div>
    </>
  );
}

const useLog = (run: TaskRun | undefined) =>
  useQuery({ ...taskRunLogQuery(run?.executionId ?? '', run?.id ?? ''), enabled: run !== undefined });

interface LogPairProps {
  left: LogEntry | undefined;
  right: LogEntry | undefined;
  isSame: boolean;
}

function LogPair({ left, right, isSame }: LogPairProps) {
  return (
    <>
      <Line entry={left} kind={isSame ? 'same' : 'removed'} />
      <Line entry={right} kind={isSame ? 'same' : 'added'} />
    </>
  );
}

function Line({ entry, kind }: { entry: LogEntry | undefined; kind: string }) {
  if (!entry) return <span className={styles.logLine} data-kind="nothing" />;
  return (
    <span className={styles.logLine} data-kind={kind}>
      <span className={styles.level} data-level={entry.level}>
        {entry.level}
      </span>
      <span className={styles.message}>{entry.message}</span>
    </span>
  );
}

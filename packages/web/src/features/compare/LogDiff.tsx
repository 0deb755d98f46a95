import type { LogEntry, TaskRun } from '@millrace/contract';
import { withoutIds } from '@millrace/engine';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { formatNumber } from '../../format/number.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { BrokenPart, Loading } from '../../ui/index.ts';
import { diffLines, pairLines } from '../flows/index.ts';
import styles from './ComparedDetail.module.css';
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
            <LogPairRow key={row} left={pair.left} right={pair.right} isSame={isSame} />
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

function LogPairRow({ left, right, isSame }: LogPairProps) {
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

/** Finding the shortest way between longer texts would take seconds; the end of a log says most. */
const mostLines = 1_000;

/** The ids of each side, which texts may contain. */
export interface SideIds {
  readonly left: readonly string[];
  readonly right: readonly string[];
}

interface LogPair {
  readonly left?: LogEntry;
  readonly right?: LogEntry;
  readonly isSame: boolean;
}

/** The last lines of two logs beside each other: the same lines as pairs, the others where they stand. */
export function pairLogs(left: readonly LogEntry[], right: readonly LogEntry[], ids: SideIds): LogPair[] {
  const [before, after] = [left.slice(-mostLines), right.slice(-mostLines)];
  // Lines are compared by a number, so that a message of several lines counts as one.
  const numbers = new Map<string, number>();
  const numberOf =
    (own: readonly string[]) =>
    ({ level, message }: LogEntry): number => {
      const text = `${level} ${withoutTimes(withoutIds(message ?? '', own))}`;
      const number = numbers.get(text) ?? numbers.size;
      numbers.set(text, number);
      return number;
    };
  const lines = diffLines(
    before.map(numberOf(ids.left)).join('\n'),
    after.map(numberOf(ids.right)).join('\n'),
  );
  return pairLines(lines).flatMap((pair): LogPair[] => {
    const [a, b] = [before[(pair.left?.left ?? 0) - 1], after[(pair.right?.right ?? 0) - 1]];
    if (!a && !b) return [];
    return [{ ...(a && { left: a }), ...(b && { right: b }), isSame: pair.left?.kind === 'same' }];
  });
}

/** Dates, times and durations differ in every run. */
const withoutTimes = (message: string): string =>
  message
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]\d\d:?\d\d)?/g, '⧖')
    .replace(/\b\d+([.,]\d+)?\s?(ms|s|seconds)\b/g, '⧖');

import { type LogLevel, logs } from '@millrace/contract';
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { urlOf } from '../../api/index.ts';
import { LogList } from './LogList.tsx';
import { LogToolbar } from './LogToolbar.tsx';
import styles from './LogView.module.css';
import { groupLines, type LogGroup } from './logGroups.ts';
import { asText, filterLines, findHits, isBelow, nextHit } from './logLine.ts';
import { useGroupFold } from './useGroupFold.ts';
import { useLogLines } from './useLogLines.ts';

interface LogViewProps {
  readonly executionId: string;
  readonly taskRunId?: string | undefined;
  /** How often the task run was tried: of more than one, each can be looked at alone. */
  readonly attempts?: number | undefined;
  readonly minLevel?: LogLevel | undefined;
  readonly live: boolean;
  /** The lines come under these headings instead of in the order of time. */
  readonly groups?: readonly LogGroup[] | undefined;
  /** What the page around the log lets people choose, before the search. */
  readonly lead?: ReactNode;
  /** Told for a page that keeps the level in its address. */
  readonly onLevel?: (level: LogLevel) => void;
}

const noGroups: readonly LogGroup[] = [];

/** The log of an execution or of one task run: every line in reach, only those in sight drawn. */
export function LogView(props: LogViewProps) {
  const { executionId, taskRunId, attempts = 1, minLevel = 'TRACE', live, groups = noGroups } = props;
  const { t } = useTranslation();
  const [level, setLevel] = useState(minLevel);
  // Raising the level only hides lines; lowering it below what was read asks the server for more.
  const [readLevel, setReadLevel] = useState(minLevel);
  if (isBelow(level, readLevel)) setReadLevel(level);
  const [onlyRun, setOnlyRun] = useState<{ id: string; taskId: string }>();
  const [attempt, setAttempt] = useState<number>();
  const [search, setSearch] = useState('');
  const [current, setCurrent] = useState<number>();
  const wanted = useDeferredValue(search);

  const log = useLogLines({ executionId, taskRunId, minLevel: readLevel, live });
  const lines = useMemo(
    () => filterLines(log.lines, { minLevel: level, taskRunId: onlyRun?.id, attempt }),
    [log.lines, level, onlyRun, attempt],
  );
  const fold = useGroupFold(groups);
  const { isOpen } = fold;
  const isSearching = wanted.trim() !== '';
  const items = useMemo(
    // A search looks into closed groups too, so it opens them.
    () => (groups.length === 0 ? lines : groupLines(lines, groups, (group) => isSearching || isOpen(group))),
    [lines, groups, isOpen, isSearching],
  );
  const hits = useMemo(() => findHits(items, wanted), [items, wanted]);

  const step = (by: 1 | -1) => setCurrent(nextHit(hits, current ?? (by === 1 ? -1 : items.length), by));
  const query = {
    minLevel: level,
    ...(onlyRun ? { taskRunId: onlyRun.id } : taskRunId !== undefined && { taskRunId }),
  };

  return (
    <section className={styles.log} aria-label={t('logs.label')}>
      <LogToolbar
        lead={props.lead}
        search={search}
        onSearch={(text) => {
          setSearch(text);
          setCurrent(undefined);
        }}
        hitCount={hits.length}
        hitPosition={current === undefined ? -1 : hits.indexOf(current)}
        onStep={step}
        onlyTask={onlyRun?.taskId}
        onShowAll={() => setOnlyRun(undefined)}
        attempts={attempts}
        attempt={attempt}
        onAttempt={setAttempt}
        lineCount={lines.length}
        level={level}
        onLevel={(next) => {
          setLevel(next);
          props.onLevel?.(next);
        }}
        fold={groups.length > 1 ? fold : undefined}
        text={() => asText(lines)}
        downloadUrl={urlOf(logs.downloadLogs, { params: { executionId }, query })}
      />
      {lines.length > 0 ? (
        <LogList
          items={items}
          hits={hits}
          search={wanted}
          currentHit={current}
          follow={live}
          showTask={taskRunId === undefined && groups.length === 0}
          onOnlyRun={setOnlyRun}
          onToggleGroup={fold.toggle}
        />
      ) : (
        <p className={styles.empty} role={log.status === 'failed' ? 'alert' : 'status'}>
          {emptyText()}
        </p>
      )}
    </section>
  );

  function emptyText(): string {
    if (log.status === 'loading') return t('logs.loading');
    if (log.status === 'failed') return `${t('logs.failed')} ${log.error ?? ''}`;
    if (onlyRun) return t('logs.emptyTask');
    if (level !== 'TRACE') return t('logs.emptyLevel');
    return t(live ? 'logs.emptyLive' : 'logs.empty');
  }
}

import { type LogLevel, logs } from '@millrace/contract';
import { type ReactNode, useCallback, useDeferredValue, useMemo, useState } from 'react';
import { urlOf } from '../../api/index.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { useTyped } from '../../ui/filters/SearchInput.tsx';
import { useInstant } from '../../ui/instant.ts';
import { LogList } from './LogList.tsx';
import { LogToolbar } from './LogToolbar.tsx';
import styles from './LogView.module.css';
import { asText, filterLines, findHits, groupLines, isBelow, type LogGroup, nextHit } from './logLine.ts';
import { useLogLines } from './useLogLines.ts';

export interface LogChoice {
  readonly level?: LogLevel | undefined;
  readonly q?: string | undefined;
  /** Counted from one; none for all of them. */
  readonly attempt?: number | undefined;
}

interface LogViewProps {
  readonly executionId: string;
  readonly taskRunId?: string | undefined;
  /** How often the task run was tried: of more than one, each can be looked at alone. */
  readonly attempts?: number | undefined;
  readonly live: boolean;
  /** The lowest level shown while none is chosen. */
  readonly usualLevel?: LogLevel | undefined;
  /** What was chosen of the log; it lives in the address of the page. */
  readonly choice: LogChoice;
  onChoose(part: LogChoice): void;
  /** Of the log of many task runs: shows one alone. */
  readonly onOnlyRun?: ((taskRunId: string) => void) | undefined;
  /** The lines come under these headings instead of in the order of time. */
  readonly groups?: readonly LogGroup[] | undefined;
  /** What the page around the log lets people choose, before the search. */
  readonly lead?: ReactNode;
}

const noGroups: readonly LogGroup[] = [];
const stay = () => {};

/** The log of an execution or of one task run: every line in reach, only those in sight drawn. */
export function LogView(props: LogViewProps) {
  const { executionId, taskRunId, attempts = 1, live, groups = noGroups, choice, onChoose } = props;
  const { t } = useTranslation();
  const level = choice.level ?? props.usualLevel ?? 'TRACE';
  // Raising the level only hides lines; lowering it below what was read asks the server for more.
  const [readLevel, setReadLevel] = useState(level);
  if (isBelow(level, readLevel)) setReadLevel(level);
  const attempt = choice.attempt === undefined ? undefined : choice.attempt - 1;
  const { typed, type } = useTyped(choice.q ?? '', (q) => onChoose({ q: q || undefined }));
  const [chosen, setChosen] = useState<number>();
  const wanted = useDeferredValue(typed);

  const untilMs = useInstant()?.atMs;
  const log = useLogLines({ executionId, taskRunId, minLevel: readLevel, live });
  const lines = useMemo(
    // The server has left out the lines below the level that was read.
    () => filterLines(log.lines, { minLevel: level === readLevel ? 'TRACE' : level, attempt, untilMs }),
    [log.lines, level, readLevel, attempt, untilMs],
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

  // A search shows its first hit at once.
  const current = chosen ?? (isSearching ? hits[0] : undefined);
  const step = (by: 1 | -1) => {
    // The hits are still those of the text before; the first of the new ones shows in a moment.
    if (wanted === typed) setChosen(nextHit(hits, current ?? (by === 1 ? -1 : items.length), by));
  };
  const query = { minLevel: level, ...(taskRunId !== undefined && { taskRunId }) };

  return (
    <section
      className={styles.log}
      aria-label={t('logs.label')}
      aria-busy={log.isPartial && log.status !== 'failed'}
    >
      <LogToolbar
        lead={props.lead}
        search={typed}
        onSearch={(text) => {
          type(text);
          setChosen(undefined);
        }}
        hitCount={hits.length}
        hitPosition={current === undefined ? -1 : hits.indexOf(current)}
        onStep={step}
        attempts={attempts}
        attempt={attempt}
        onAttempt={(next) => onChoose({ attempt: next === undefined ? undefined : next + 1 })}
        lineCount={lines.length}
        level={level}
        onLevel={(next) => onChoose({ level: next })}
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
          onOnlyRun={props.onOnlyRun ?? stay}
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
    if (taskRunId !== undefined && !live) return t('logs.emptyTask');
    if (level !== 'TRACE') return t('logs.emptyLevel');
    return t(live ? 'logs.emptyLive' : 'logs.empty');
  }
}

const untouched: ReadonlyMap<string, boolean> = new Map();

/** Which groups are open: the default until the user opens or closes one. */
function useGroupFold(groups: readonly LogGroup[]) {
  const [chosen, setChosen] = useState(untouched);
  const isOpen = useCallback((group: LogGroup) => chosen.get(group.id) ?? group.isOpenAtFirst, [chosen]);
  const toggle = (id: string) => {
    const group = groups.find((one) => one.id === id);
    if (group) setChosen(new Map(chosen).set(id, !isOpen(group)));
  };
  const areAllOpen = groups.every(isOpen);
  const onToggleAll = () => setChosen(new Map(groups.map(({ id }) => [id, !areAllOpen])));
  return { isOpen, toggle, areAllOpen, onToggleAll };
}

import { useReducedMotion } from '@mantine/hooks';
import type { Execution, StateType, TaskRun } from '@millrace/contract';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { TFunction } from 'i18next';
import { type CSSProperties, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { displayWidth } from '../../format/displayWidth.ts';
import { formatDuration, niceTicks, type Tick } from '../../format/duration.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { EmptyState } from '../../ui/index.ts';
import { useInstant } from '../../ui/instant.ts';
import { useNow } from '../../ui/values/useNow.ts';
import {
  foldedLoops,
  type Iterations,
  orderRuns,
  parentIndex,
  pathTo,
  type RunRow,
} from '../iterations/index.ts';
import { durationOf, isGrowing, spanOf } from './bars.ts';
import styles from './Gantt.module.css';
import { BarDetails, GanttRowView, type Hovered } from './GanttRowView.tsx';

const ROW_PX = 32;
const MOST_TICKS = 6;
const TICK_PX = 70;
const CHARACTER_PX = 6.6;
const LABEL_MARGIN_PX = 16;
/** Parts of a time may take more letters than the whole: "59 m 59 s" of "1 h". */
const SHORTEST_LABEL = 8;
/** Below it the words of states would take the room of the bars. */
const NARROW_TRACK_PX = 420;
const NONE: ReadonlySet<string> = new Set();
const NO_RUNS: readonly TaskRun[] = [];

interface GanttProps {
  readonly execution: Execution;
  /** Folds loops with many iterations. */
  readonly iterations?: Iterations | undefined;
  readonly selectedTaskRunId?: string | undefined;
  readonly onSelect?: ((taskRunId: string) => void) | undefined;
}

/** Every task run of an execution on one time axis. Rows have one height and only those in sight exist. */
export function Gantt({ execution, iterations, selectedTaskRunId, onSelect }: GanttProps) {
  const { t } = useTranslation();
  const runs = execution.taskRunList ?? NO_RUNS;
  /** Rows that are open although they begin folded, or the other way around. */
  const [toggled, setToggled] = useState(NONE);
  const collapsed = useMemo(() => {
    const begin = iterations ? foldedLoops(iterations.folded, iterations.open) : NONE;
    return [...toggled].reduce(withToggled, begin);
  }, [iterations, toggled]);
  const visible = useMemo(
    () => orderRuns(runs, collapsed, iterations && pathTo(iterations.folded.byId, selectedTaskRunId)),
    [runs, collapsed, iterations, selectedTaskRunId],
  );
  const longestWord = useMemo(() => longestStateWord(runs, t), [runs, t]);
  const [hovered, setHovered] = useState<Hovered>();
  const [activeId, setActiveId] = useState(selectedTaskRunId);

  const instant = useInstant();
  // A past moment stands still, and the time that it lies in is known.
  const live = useMemo(() => !instant && isGrowing(execution), [execution, instant]);
  // With reduced motion the bars grow only when the server sends news.
  const isStill = useReducedMotion();
  const tickedMs = useNow(live && !isStill, runs.length < 50 ? 100 : 500);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the news is what the time belongs to.
  const arrivedMs = useMemo(() => Date.now(), [execution]);
  const nowMs = instant?.atMs ?? Math.max(arrivedMs, tickedMs);
  // The axis of a past moment is that of the whole time, so that bars grow instead of shrinking.
  const known = useMemo(() => instant ?? spanOf(execution, 0), [execution, instant]);
  const span = live ? { ...known, endMs: Math.max(known.endMs, nowMs) } : known;

  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: visible.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    initialRect: { width: 800, height: 480 },
  });

  const selectedIndex = visible.findIndex((row) => row.run.id === selectedTaskRunId);
  useEffect(() => {
    if (selectedIndex >= 0) virtualizer.scrollToIndex(selectedIndex, { align: 'auto' });
  }, [selectedIndex, virtualizer]);

  const activeIndex = Math.max(
    0,
    visible.findIndex((row) => row.run.id === (activeId ?? selectedTaskRunId)),
  );
  const toggle = (id: string) => setToggled((ids) => withToggled(ids, id));

  const onKeyDown = (event: KeyboardEvent) => {
    const move = moveInTree(event.key, visible, activeIndex, collapsed);
    if (!move) return;
    event.preventDefault();
    const target = visible[move.index];
    if (!target) return;
    if (move.kind === 'select') return onSelect?.(target.run.id);
    if (move.kind === 'toggle') return toggle(target.run.id);
    setActiveId(target.run.id);
    virtualizer.scrollToIndex(move.index, { align: 'auto' });
  };

  if (runs.length === 0) {
    return (
      <EmptyState
        illustration="stillWater"
        title={t(isGrowing(execution) ? 'gantt.emptyLive' : 'gantt.empty')}
      />
    );
  }
  const widthPx = virtualizer.scrollRect?.width ?? 800;
  const namePx = nameWidth(widthPx);
  const isNarrow = widthPx - namePx < NARROW_TRACK_PX;
  const longest = formatDuration(span.endMs - span.startMs);
  const labelPx = labelWidth(isNarrow ? longest : `${longestWord} · ${longest}`);
  const duration = formatDuration(durationOf(execution, nowMs));
  const trackPx = Math.max(1, widthPx - namePx - labelPx);
  const ticks = niceTicks(span.endMs - span.startMs, Math.min(MOST_TICKS, Math.floor(trackPx / TICK_PX)));
  const rowDomId = (id: string) => `gantt-${execution.id}-${id}`;
  return (
    <div
      className={styles.gantt}
      ref={scroller}
      role="tree"
      tabIndex={0}
      aria-label={t('gantt.label')}
      aria-activedescendant={visible[activeIndex] && rowDomId(visible[activeIndex].run.id)}
      onKeyDown={onKeyDown}
      style={
        {
          '--name-width': `${namePx}px`,
          '--label-width': `${labelPx}px`,
        } as CSSProperties /* custom properties */
      }
    >
      <GanttAxis ticks={ticks} total={t('gantt.total', { duration })} />
      <div className={styles.rows} style={{ height: virtualizer.getTotalSize() }}>
        <GanttLines ticks={ticks} />
        {instant && (
          <GanttInstant at={(instant.atMs - span.startMs) / Math.max(1, span.endMs - span.startMs)} />
        )}
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = visible[index];
          if (!row) return null;
          const { id } = row.run;
          return (
            <GanttRowView
              key={id}
              domId={rowDomId(id)}
              row={row}
              top={start}
              span={span}
              nowMs={nowMs}
              isNarrow={isNarrow}
              isCollapsed={collapsed.has(id)}
              counts={iterations?.folded.loops.get(id)?.counts}
              isSelected={id === selectedTaskRunId}
              isActive={index === activeIndex}
              t={t}
              onToggle={() => toggle(id)}
              onHover={(bars, event) => {
                const { bottom } = event.currentTarget.getBoundingClientRect();
                const isCopied = row.run.copied === true;
                setHovered({ id, bars, isCopied, x: event.clientX, y: bottom + 2 });
              }}
              onLeave={() => setHovered(undefined)}
              onSelect={() => {
                setActiveId(id);
                onSelect?.(id);
              }}
            />
          );
        })}
      </div>
      {hovered && <BarDetails hovered={hovered} nowMs={nowMs} />}
    </div>
  );
}

/** Names get a good quarter, within what a name needs and what the bars can spare. */
const nameWidth = (widthPx: number): number => Math.round(Math.min(340, Math.max(150, widthPx * 0.32)));

/** About as wide as the longest text after a bar, so that every bar has its text beside it. */
const labelWidth = (text: string): number =>
  Math.round(Math.max(SHORTEST_LABEL, displayWidth(text)) * CHARACTER_PX + LABEL_MARGIN_PX);

function longestStateWord(runs: readonly TaskRun[], t: TFunction): string {
  const states = new Set<StateType>();
  for (const { state } of runs) states.add(state.current);
  const words = [...states].map((state) => t(`state.${state}`));
  return words.reduce((longest, word) => (displayWidth(word) > displayWidth(longest) ? word : longest), '');
}

function withToggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** From here on a time stands before its line, where there is room for it. */
const END = 0.93;
/** With more marks than this, a time before its line would run into the one before it. */
const FEW = 3;

/** The header with its round times. */
function GanttAxis({ ticks, total }: { ticks: readonly Tick[]; total: string }) {
  return (
    <div className={styles.axis} role="presentation">
      <span className={styles.total} title={total}>
        {total}
      </span>
      <div className={styles.scale} aria-hidden="true">
        {ticks
          .filter(({ at }) => at <= END || ticks.length <= FEW)
          .map((tick) => (
            <span
              key={tick.ms}
              className={styles.tick}
              data-last={tick.at > END || undefined}
              style={{ left: `${tick.at * 100}%` }}
            >
              {tick.label}
            </span>
          ))}
      </div>
    </div>
  );
}

/** The lines that run down from the times, behind the rows. */
function GanttLines({ ticks }: { ticks: readonly Tick[] }) {
  return (
    <div className={styles.lines} aria-hidden="true">
      {ticks.map((tick) => (
        <i key={tick.ms} className={styles.line} style={{ left: `${tick.at * 100}%` }} />
      ))}
    </div>
  );
}

/** The moment that is shown, as a line across all rows. */
function GanttInstant({ at }: { at: number }) {
  return (
    <div className={styles.lines} aria-hidden="true">
      <i className={`${styles.line} ${styles.instant}`} style={{ left: `${at * 100}%` }} />
    </div>
  );
}

type TreeMove = { readonly kind: 'go' | 'toggle' | 'select'; readonly index: number };

const PAGE = 10;

/** What a key does in the tree, after the usual pattern: arrows walk, left and right close and open. */
function moveInTree(
  key: string,
  rows: readonly RunRow[],
  index: number,
  collapsed: ReadonlySet<string>,
): TreeMove | undefined {
  const last = rows.length - 1;
  const row = rows[index];
  if (!row) return undefined;
  const go = (to: number): TreeMove => ({ kind: 'go', index: Math.min(Math.max(to, 0), last) });
  const isParent = row.childCount > 0;
  const isClosed = collapsed.has(row.run.id);
  switch (key) {
    case 'ArrowDown':
      return go(index + 1);
    case 'ArrowUp':
      return go(index - 1);
    case 'PageDown':
      return go(index + PAGE);
    case 'PageUp':
      return go(index - PAGE);
    case 'Home':
      return go(0);
    case 'End':
      return go(last);
    case 'ArrowRight':
      if (!isParent) return undefined;
      return isClosed ? { kind: 'toggle', index } : go(index + 1);
    case 'ArrowLeft':
      if (isParent && !isClosed) return { kind: 'toggle', index };
      return parentIndex(rows, index) >= 0 ? go(parentIndex(rows, index)) : undefined;
    case 'Enter':
    case ' ':
      return { kind: 'select', index };
    default:
      return undefined;
  }
}

import { useReducedMotion } from '@mantine/hooks';
import type { Execution } from '@millrace/contract';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { TFunction } from 'i18next';
import { type CSSProperties, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDuration } from '../../format/duration.ts';
import { niceTicks } from '../../format/durationScale.ts';
import { lettersOf } from '../../format/lettersOf.ts';
import { EmptyState } from '../../ui/index.ts';
import { useNow } from '../../ui/useNow.ts';
import { BarDetails, type Hovered } from './BarDetails.tsx';
import { durationOf, isGrowing, spanOf } from './bars.ts';
import styles from './Gantt.module.css';
import { GanttAxis, GanttLines } from './GanttAxis.tsx';
import { GanttRowView } from './GanttRowView.tsx';
import { moveInTree } from './moveInTree.ts';
import { type GanttRow, orderRuns, visibleRows } from './rows.ts';

const ROW_PX = 32;
const MOST_TICKS = 6;
const TICK_PX = 70;
const LETTER_PX = 6.6;
const LABEL_MARGIN_PX = 16;
/** Parts of a time may take more letters than the whole: "59 m 59 s" of "1 h". */
const SHORTEST_LABEL = 8;
/** Below it the words of states would take the room of the bars. */
const NARROW_TRACK_PX = 420;
const NONE: ReadonlySet<string> = new Set();

interface GanttProps {
  readonly execution: Execution;
  readonly selectedTaskRunId?: string | undefined;
  readonly onSelect?: ((taskRunId: string) => void) | undefined;
}

/** Every task run of an execution on one time axis. Rows have one height and only those in sight exist. */
export function Gantt({ execution, selectedTaskRunId, onSelect }: GanttProps) {
  const { t } = useTranslation();
  const rows = useMemo(() => orderRuns(execution), [execution]);
  const [collapsed, setCollapsed] = useState(NONE);
  const visible = useMemo(() => visibleRows(rows, collapsed), [rows, collapsed]);
  const longestWord = useMemo(() => longestStateWord(rows, t), [rows, t]);
  const [hovered, setHovered] = useState<Hovered>();
  const [activeId, setActiveId] = useState(selectedTaskRunId);

  const live = useMemo(() => isGrowing(execution), [execution]);
  // With reduced motion the bars grow only when the server sends news.
  const isStill = useReducedMotion();
  const tickedMs = useNow(live && !isStill, rows.length < 50 ? 100 : 500);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the news is what the time belongs to.
  const arrivedMs = useMemo(() => Date.now(), [execution]);
  const nowMs = Math.max(arrivedMs, tickedMs);
  const known = useMemo(() => spanOf(execution, 0), [execution]);
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
  const toggle = (id: string) => setCollapsed((ids) => withToggled(ids, id));

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

  if (rows.length === 0) {
    return <EmptyState illustration="stillWater" title={t(live ? 'gantt.emptyLive' : 'gantt.empty')} />;
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
  Math.round(Math.max(SHORTEST_LABEL, lettersOf(text)) * LETTER_PX + LABEL_MARGIN_PX);

function longestStateWord(rows: readonly GanttRow[], t: TFunction): string {
  const words = [...new Set(rows.map(({ run }) => run.state.current))].map((state) => t(`state.${state}`));
  return words.reduce((longest, word) => (lettersOf(word) > lettersOf(longest) ? word : longest), '');
}

function withToggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

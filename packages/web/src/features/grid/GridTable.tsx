// biome-ignore-all lint/a11y/useSemanticElements: rows that are placed one by one are no rows of a table element.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid takes the focus, by its active descendant.
import { type FlowGrid, isTerminal } from '@millrace/contract';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { formatDuration } from '../../format/duration.ts';
import { openMs, openTime } from '../../format/openTime.ts';
import { browserTimeZone, wallClockOf } from '../../format/timeZone.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { useSetting } from '../../storage/settings.ts';
import { useNow } from '../../ui/values/useNow.ts';
import { CellDetails, GridCells, type Pointed } from './GridCells.tsx';
import styles from './grid.module.css';
import { barHeights, columnDates, gridModel, type Place, placeAfter, placeOf } from './gridModel.ts';

const ROW_PX = 30;

export interface OpenedCell {
  readonly executionId: string;
  /** Undefined for the execution itself. */
  readonly taskRunId: string | undefined;
}

interface GridTableProps {
  readonly grid: FlowGrid;
  readonly collapsed: ReadonlySet<string>;
  onCollapse(collapsed: ReadonlySet<string>): void;
  onOpen(cell: OpenedCell, inNewTab: boolean): void;
}

/** The cells of a grid. Only the rows in sight exist; one element takes the focus for all of them. */
export function GridTable({ grid, collapsed, onCollapse, onOpen }: GridTableProps) {
  const { t, i18n } = useTranslation();
  const timeZone = useSetting('timeZone') || browserTimeZone();
  const model = useMemo(() => gridModel(grid, collapsed), [grid, collapsed]);
  const { columns, rows } = model;
  const [active, setActive] = useState<{ executionId: string; taskId: string | undefined }>();
  const [pointed, setPointed] = useState<Pointed>();
  const place = placeOf(model, active);
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
    initialRect: { width: 800, height: 600 },
  });
  const isLive = columns.some(({ state }) => !isTerminal(state.current));
  const nowMs = useNow(isLive, 1_000);
  const durations = columns.map(({ state }) => openMs(openTime(state), nowMs));
  const heights = barHeights(durations);
  const dates = useMemo(() => {
    const clockOf = (iso: string) => wallClockOf(Date.parse(iso), timeZone);
    const day = new Intl.DateTimeFormat(i18n.language, { month: 'short', day: 'numeric', timeZone });
    return columnDates(columns, clockOf).map(
      (date) => date && (date.isDay ? day.format(new Date(date.iso)) : clockOf(date.iso).slice(11, 16)),
    );
  }, [columns, i18n.language, timeZone]);
  const newest = columns.at(-1)?.id;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new execution on the right is what to show.
  useLayoutEffect(() => {
    scroller.current?.scrollTo?.({ left: scroller.current.scrollWidth });
  }, [newest]);

  const toggle = (taskId: string) => {
    const next = new Set(collapsed);
    if (!next.delete(taskId)) next.add(taskId);
    onCollapse(next);
  };
  const openAt = ({ row, column }: Place, inNewTab: boolean) => {
    const execution = columns[column];
    if (!execution) return;
    const cell = rows[row]?.cells[column];
    if (row < 0 || cell) onOpen({ executionId: execution.id, taskRunId: cell?.taskRunId }, inNewTab);
  };
  const activate = ({ row, column }: Place) => {
    const executionId = columns[column]?.id;
    if (executionId !== undefined) setActive({ executionId, taskId: rows[row]?.task.id });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = placeAfter(event.key, place, model);
    const container = rows[place.row];
    if (next) {
      activate(next);
      if (next.row >= 0) virtualizer.scrollToIndex(next.row, { align: 'auto' });
      scrollToColumn(scroller.current, next.column);
    } else if (event.key === 'Enter') openAt(place, event.ctrlKey || event.metaKey);
    else if (event.key === ' ' && container?.isContainer) toggle(container.task.id);
    else return;
    event.preventDefault();
  };
  const onClick = (event: MouseEvent) => {
    const at = placeAt(event.target);
    if (!at) return;
    activate(at);
    openAt(at, event.ctrlKey || event.metaKey);
  };
  const onPointer = (event: MouseEvent) => {
    const at = placeAt(event.target);
    const execution = at && columns[at.column];
    if (!execution) return setPointed(undefined);
    const row = rows[at.row];
    const rect = (event.target as Element).closest('[data-cell]')!.getBoundingClientRect(); // Elements have events.
    setPointed({
      execution,
      task: row?.task,
      cell: row?.cells[at.column],
      durationMs: durations[at.column] ?? 0,
      x: rect.left + rect.width / 2,
      y: rect.bottom,
    });
  };
  const cellId = ({ row, column }: Place) => `grid-${row}-${column}`;
  return (
    <>
      <div
        ref={scroller}
        className={styles.grid}
        role="grid"
        tabIndex={0}
        aria-label={t('grid.label')}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + 1}
        aria-activedescendant={cellId(place)}
        style={{ '--columns': columns.length } as CSSProperties /* custom property */}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onMouseOver={onPointer}
        onMouseLeave={() => setPointed(undefined)}
        onFocus={() => setPointed(undefined)}
        onBlur={() => setPointed(undefined)}
      >
        <div className={styles.head} role="row">
          <span className={styles.corner} role="columnheader">
            {formatDuration(Math.max(0, ...durations))}
          </span>
          {columns.map(({ id, state }, column) => (
            <span
              key={id}
              id={cellId({ row: -1, column })}
              role="columnheader"
              className={styles.column}
              data-cell={`-1 ${column}`}
              data-active={(place.row < 0 && place.column === column) || undefined}
              aria-label={t('grid.execution', {
                id,
                state: t(`state.${state.current}`),
                duration: formatDuration(durations[column] ?? 0),
              })}
            >
              {dates[column] && <time className={styles.date}>{dates[column]}</time>}
              <i
                className={styles.bar}
                data-moving={!isTerminal(state.current) || undefined}
                style={{
                  height: `${(heights[column] ?? 0) * 100}%`,
                  background: `var(--mr-state-${state.current.toLowerCase()}-solid)`,
                }}
              />
            </span>
          ))}
        </div>
        <div className={styles.body} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            if (!row) return null;
            const { id, depth, branch } = row.task;
            const isCollapsed = collapsed.has(id);
            const Chevron = isCollapsed ? IconChevronRight : IconChevronDown;
            return (
              <div
                key={id}
                role="row"
                className={styles.row}
                aria-rowindex={index + 2}
                style={{ transform: `translateY(${start}px)` }}
              >
                <span
                  className={styles.name}
                  role="rowheader"
                  data-branch={branch}
                  style={{ '--depth': depth } as CSSProperties /* custom property */}
                >
                  {row.isContainer ? (
                    <button
                      type="button"
                      className={styles.chevron}
                      aria-expanded={!isCollapsed}
                      aria-label={t(isCollapsed ? 'gantt.expand' : 'gantt.collapse', { id })}
                      onClick={() => toggle(id)}
                    >
                      <Chevron size={14} aria-hidden />
                    </button>
                  ) : (
                    <span className={styles.chevron} />
                  )}
                  <span className={styles.id} title={id}>
                    {id}
                  </span>
                  {branch !== 'tasks' && (
                    <small className={styles.branch}>{t(`grid.branch.${branch}`)}</small>
                  )}
                </span>
                <GridCells
                  row={row}
                  index={index}
                  columns={columns}
                  activeColumn={place.row === index ? place.column : undefined}
                  t={t}
                />
              </div>
            );
          })}
        </div>
      </div>
      {pointed && <CellDetails pointed={pointed} />}
    </>
  );
}

/** Cells carry their place, so that one listener serves all of them. */
function placeAt(target: EventTarget): Place | undefined {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-cell]') : undefined;
  const [row, column] = cell?.dataset.cell?.split(' ').map(Number) ?? [];
  return row === undefined || column === undefined ? undefined : { row, column };
}

/** The names stand before the cells, so a cell behind them is out of sight. */
function scrollToColumn(scroller: HTMLElement | null, column: number): void {
  const header = scroller?.querySelector<HTMLElement>(`[data-cell="-1 ${column}"]`);
  header?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
}

import type { Execution, State } from '@millrace/contract';
import type { ComparedRuns, RunDifference } from '@millrace/engine';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { TFunction } from 'i18next';
import { type KeyboardEvent, memo, useEffect, useRef } from 'react';
import { formatNumber } from '../../format/number.ts';
import { openTime } from '../../format/openTime.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { StatePill, TimeOpen } from '../../ui/index.ts';
import styles from './ComparedRunList.module.css';

const rowPx = 34;
const noDifference: readonly RunDifference[] = [];

interface ComparedRunListProps {
  left: Execution;
  right: Execution;
  runs: readonly ComparedRuns[];
  /** The positions of the task runs to list. */
  rows: readonly number[];
  /** The path of the selected task runs; the executions themselves without one. */
  selected: string | undefined;
  onSelect: (path: string | undefined) => void;
}

/** The executions, then their aligned task runs; the arrow keys move the selection. */
export function ComparedRunList(props: ComparedRunListProps) {
  const { left, right, runs, rows, selected, onSelect } = props;
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length + 1,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 12,
    initialRect: { width: 600, height: 480 },
  });
  const pathAt = (row: number) => runs[rows[row - 1] ?? -1]?.path;
  const found = rows.findIndex((index) => runs[index]?.path === selected);
  // A selection that the filter hides has no row.
  const at = selected === undefined ? 0 : found < 0 ? -1 : found + 1;
  useEffect(() => {
    if (at >= 0) virtualizer.scrollToIndex(at, { align: 'auto' });
  }, [at, virtualizer]);

  const onKeyDown = (event: KeyboardEvent) => {
    const last = rows.length;
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: last };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onSelect(pathAt(Math.max(0, Math.min(last, to))));
  };
  return (
    <div className={styles.frame}>
      <div className={styles.head} aria-hidden="true">
        <span>{t('compare.taskRun')}</span>
        <span />
        <span>{t('compare.left')}</span>
        <span>{t('compare.right')}</span>
      </div>
      <div
        className={styles.list}
        ref={scroller}
        role="listbox"
        tabIndex={0}
        aria-label={t('compare.runs')}
        aria-activedescendant={at < 0 ? undefined : `compared-${at}`}
        onKeyDown={onKeyDown}
      >
        <div className={styles.rows} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index: row, start }) => {
            const run = runs[rows[row - 1] ?? -1];
            return (
              <Row
                key={run?.path ?? ''}
                id={`compared-${row}`}
                top={start}
                name={run?.name ?? t('compare.execution')}
                title={run?.path}
                depth={run ? run.depth + 1 : 0}
                left={run ? run.left?.state : left.state}
                right={run ? run.right?.state : right.state}
                differences={run?.differences ?? noDifference}
                isSelected={row === at}
                path={run?.path}
                onSelect={onSelect}
                t={t}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface RowProps {
  id: string;
  top: number;
  name: string;
  title: string | undefined;
  depth: number;
  left: State | undefined;
  right: State | undefined;
  differences: readonly RunDifference[];
  isSelected: boolean;
  path: string | undefined;
  onSelect: (path: string | undefined) => void;
  t: TFunction;
}

const Row = memo(function Row(props: RowProps) {
  const { id, top, name, title, depth, left, right, differences, isSelected, path, onSelect, t } = props;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the focus and handles the keys.
    // biome-ignore lint/a11y/useFocusableInteractive: as above.
    <div
      id={id}
      className={styles.row}
      role="option"
      aria-selected={isSelected}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onSelect(path)}
    >
      <span className={styles.name} style={{ paddingLeft: depth * 14 }} title={title}>
        {name}
      </span>
      <span className={styles.marks}>
        {differences.map((difference) => (
          <span key={difference.kind} className={styles.mark} data-kind={difference.kind}>
            {markOf(difference, t)}
          </span>
        ))}
      </span>
      <SideState state={left} t={t} />
      <SideState state={right} t={t} />
    </div>
  );
});

function SideState({ state, t }: { state: State | undefined; t: TFunction }) {
  if (!state) return <span className={styles.missing}>{t('compare.notRun')}</span>;
  return (
    <span className={styles.side}>
      <StatePill state={state.current} size="sm" />
      <TimeOpen time={openTime(state)} />
    </span>
  );
}

function markOf(difference: RunDifference, t: TFunction): string {
  if (difference.kind !== 'duration') return t(`compare.mark.${difference.kind}`);
  return t('compare.mark.duration', {
    factor: formatNumber(difference.factor, { maximumFractionDigits: 1 }),
  });
}

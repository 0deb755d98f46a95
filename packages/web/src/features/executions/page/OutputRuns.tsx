import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { CopiedIcon, EditedIcon, StatePill } from '../../../ui/index.ts';
import { type FoldedRuns, type OutputRow, StateCountChips } from '../../iterations/index.ts';
import styles from './ExecutionOutputs.module.css';

const ROW_PX = 34;

interface OutputRunsProps {
  readonly rows: readonly OutputRow[];
  readonly loops: FoldedRuns['loops'];
  readonly selectedId: string;
  onSelect(taskRunId: string): void;
}

/** The task runs whose outputs can be read. Only those in sight exist. */
export function OutputRuns({ rows, loops, selectedId, onSelect }: OutputRunsProps) {
  const scroller = useRef<HTMLUListElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    paddingStart: 6,
    paddingEnd: 6,
    overscan: 12,
    initialRect: { width: 300, height: 480 },
  });
  const selectedIndex = rows.findIndex(({ run }) => run.id === selectedId);
  useEffect(() => {
    if (selectedIndex >= 0) virtualizer.scrollToIndex(selectedIndex, { align: 'auto' });
  }, [selectedIndex, virtualizer]);
  return (
    <ul className={styles.runs} ref={scroller}>
      <li aria-hidden style={{ height: virtualizer.getTotalSize() }} />
      {virtualizer.getVirtualItems().map(({ index, start }) => {
        const row = rows[index];
        if (!row) return null;
        const { run, indent, isFolded } = row;
        return (
          <li key={run.id} className={styles.placed} style={{ transform: `translateY(${start}px)` }}>
            <button
              type="button"
              className={styles.run}
              style={{ paddingLeft: 8 + Math.min(indent, 6) * 14 }}
              aria-pressed={run.id === selectedId}
              onClick={() => onSelect(run.id)}
            >
              <span className={styles.name}>
                {run.taskId}
                {run.value && <span className={styles.value}> {run.value}</span>}
              </span>
              {run.copied && <CopiedIcon />}
              {run.edited && <EditedIcon />}
              {isFolded ? (
                <StateCountChips counts={loops.get(run.id)?.counts ?? []} />
              ) : (
                <StatePill state={run.state.current} size="sm" />
              )}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

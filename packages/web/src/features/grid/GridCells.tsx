// biome-ignore-all lint/a11y/useSemanticElements: rows that are placed one by one are no rows of a table element.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid takes the focus, by its active descendant.
import type { GridCell, GridExecution, GridTask, StateType } from '@millrace/contract';
import type { TFunction } from 'i18next';
import { memo } from 'react';
import { formatDateTime } from '../../format/date.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatNumber } from '../../format/number.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { StateIcon, StatePill, stateColours } from '../../ui/index.ts';
import { StateCountChips } from '../iterations/index.ts';
import styles from './grid.module.css';
import type { GridRow } from './gridModel.ts';

interface GridCellsProps {
  readonly row: GridRow;
  readonly index: number;
  readonly columns: readonly GridExecution[];
  readonly activeColumn: number | undefined;
  /** Given rather than asked for: a hook per row costs frames while scrolling. */
  readonly t: TFunction;
}

/** The cells of one row. They are drawn again only when they change. */
export const GridCells = memo(function GridCells({ row, index, columns, activeColumn, t }: GridCellsProps) {
  return row.cells.map((cell, column) => {
    const execution = columns[column];
    const total = Object.values(cell?.counts ?? {}).reduce((sum, count) => sum + count, 0);
    const word = cell ? t(`state.${cell.state}`) : t('grid.notRun');
    const state = total > 1 ? `${word} × ${formatNumber(total)}` : word;
    const attempts = cell && cell.attempts > 1 ? cell.attempts : undefined;
    return (
      <span
        key={execution?.id}
        id={`grid-${index}-${column}`}
        role="gridcell"
        className={styles.cell}
        data-cell={`${index} ${column}`}
        data-state={cell?.state}
        data-active={activeColumn === column || undefined}
        aria-label={t('grid.cell', {
          task: row.task.id,
          state: attempts === undefined ? state : `${state}, ${t('taskRun.attempts', { count: attempts })}`,
          id: execution?.id ?? '',
        })}
      >
        {cell && (
          <span className={styles.mark} data-many={total > 1 || undefined} style={stateColours(cell.state)}>
            <StateIcon state={cell.state} size={11} />
            {attempts !== undefined && <i className={styles.attempts}>{attempts > 9 ? '9+' : attempts}</i>}
          </span>
        )}
      </span>
    );
  });
});

export interface Pointed {
  readonly execution: GridExecution;
  /** Undefined over the header. */
  readonly task: GridTask | undefined;
  readonly cell: GridCell | undefined;
  readonly durationMs: number;
  readonly x: number;
  /** The lower edge of the cell. */
  readonly y: number;
}

/** The figures behind the cell under the pointer. */
export function CellDetails({ pointed }: { pointed: Pointed }) {
  const { t, i18n } = useTranslation();
  const { execution, task, cell, x, y } = pointed;
  const state = task ? cell?.state : execution.state.current;
  const startDate = task ? cell?.startDate : execution.state.startDate;
  const durationMs = task ? cell?.durationMs : pointed.durationMs;
  // `as`: the keys of a cell's counts are states.
  const counts = Object.entries(cell?.counts ?? {}) as [StateType, number][];
  const duration = durationMs === undefined ? undefined : formatDuration(durationMs);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  return (
    <div className={styles.details} role="tooltip" style={{ left: withinWindow(x), ...besideCell(y) }}>
      <p className={styles.detailsTitle}>
        {state && <StatePill state={state} size="sm" still />}
        <strong>{task?.id ?? execution.id}</strong>
      </p>
      {!state && <p>{t('grid.notRun')}</p>}
      {total > 1 && <StateCountChips counts={counts} />}
      {cell && cell.attempts > 1 && <p>{t('taskRun.attempts', { count: cell.attempts })}</p>}
      {startDate && (
        <p>
          {formatDateTime(startDate, i18n.language)}
          {duration !== undefined && ` · ${total > 1 ? t('grid.longest', { duration }) : duration}`}
        </p>
      )}
      {task && <p className={styles.quiet}>{execution.id}</p>}
      <p className={styles.quiet}>
        {t('grid.revision', { revision: execution.flowRevision })}
        {execution.triggerId !== undefined && ` · ${execution.triggerId}`}
        {execution.isPartial && ` · ${t('grid.partial')}`}
      </p>
    </div>
  );
}

const HALF_WIDTH_PX = 165;

/** Near an edge of the window the details stay whole. */
const withinWindow = (x: number): number =>
  Math.max(HALF_WIDTH_PX, Math.min(x, window.innerWidth - HALF_WIDTH_PX));

const CELL_PX = 30;
const HEIGHT_PX = 150;

/** Below the cell, or above it near the lower edge of the window. */
const besideCell = (y: number) =>
  y + HEIGHT_PX < window.innerHeight ? { top: y + 4 } : { bottom: window.innerHeight - y + CELL_PX };

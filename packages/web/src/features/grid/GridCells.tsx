// biome-ignore-all lint/a11y/useSemanticElements: rows that are placed one by one are no rows of a table element.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid takes the focus, by its active descendant.
import type { GridExecution } from '@millrace/contract';
import type { TFunction } from 'i18next';
import { memo } from 'react';
import { formatNumber } from '../../format/number.ts';
import { StateIcon, stateColours } from '../../ui/index.ts';
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
    const state = cell ? t(`state.${cell.state}`) : t('grid.notRun');
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
          state: total > 1 ? `${state} × ${formatNumber(total)}` : state,
          id: execution?.id ?? '',
        })}
      >
        {cell && (
          <span className={styles.mark} data-many={total > 1 || undefined} style={stateColours(cell.state)}>
            <StateIcon state={cell.state} size={11} />
          </span>
        )}
      </span>
    );
  });
});

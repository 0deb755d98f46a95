import { useState } from 'react';
import { readStored, writeStored } from '../../storage/storage.ts';
import type { Column } from './column.ts';

/** The width of the table below which its style hides a column, in CSS pixels; the same as in DataTable.module.css. */
const hiddenBelowPx = { sm: 560, md: 760, lg: 980, xl: 1240 } as const;

/**
 * Which columns a list shows, remembered by the list's name as a comma list of their ids. Until the user chooses, a
 * narrow table leaves columns out, and they are not ticked; chosen columns are all shown, and the table then scrolls.
 */
export function useColumnMemory<Row>(name: string, columns: readonly Column<Row>[], tableWidth: number) {
  const [shown, setShown] = useState(() => readStored(`columns:${name}`)?.split(','));
  const fits = ({ hideBelow }: Column<Row>) =>
    hideBelow === undefined || tableWidth === 0 || tableWidth > hiddenBelowPx[hideBelow];
  const isShown = (column: Column<Row>) =>
    column.identifies || (shown ? shown.includes(column.id) : !column.optional && fits(column));
  return {
    isChosen: shown !== undefined,
    visibility: Object.fromEntries(columns.map((column) => [column.id, isShown(column)])),
    toggle: (id: string) => {
      const next = columns.filter((c) => (c.id === id ? !isShown(c) : isShown(c))).map((c) => c.id);
      setShown(next);
      writeStored(`columns:${name}`, next.join(','));
    },
    reset: () => {
      setShown(undefined);
      writeStored(`columns:${name}`, undefined);
    },
  };
}

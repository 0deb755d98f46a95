import { useState } from 'react';
import { readStored, writeStored } from '../../storage/storage.ts';
import type { Column } from './column.ts';

/** Which columns a list shows, remembered by the list's name as a comma list of their ids. */
export function useColumnMemory<Row>(name: string, columns: readonly Column<Row>[]) {
  const [shown, setShown] = useState(() => readStored(`columns:${name}`)?.split(','));
  const isShown = (column: Column<Row>) =>
    column.identifies || (shown ? shown.includes(column.id) : !column.optional);
  return {
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

import type { RowSelectionState, Updater } from '@tanstack/react-table';
import { useState } from 'react';

/** The selected rows of a table. Whoever took everything and then unselects a row means rows again. */
export function useRowSelection() {
  const [selection, setSelection] = useState<RowSelectionState>({});
  const [isAll, setAll] = useState(false);
  return {
    selection,
    isAll,
    change: (next: Updater<RowSelectionState>) => {
      setAll(false);
      setSelection(next);
    },
    takeAll: () => setAll(true),
    clear: () => {
      setAll(false);
      setSelection({});
    },
  };
}

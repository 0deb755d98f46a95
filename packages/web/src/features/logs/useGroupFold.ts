import { useCallback, useState } from 'react';
import type { LogGroup } from './logGroups.ts';

const untouched: ReadonlyMap<string, boolean> = new Map();

/** Which groups are open: as they are at first, until somebody says otherwise. */
export function useGroupFold(groups: readonly LogGroup[]) {
  const [chosen, setChosen] = useState(untouched);
  const isOpen = useCallback((group: LogGroup) => chosen.get(group.id) ?? group.isOpenAtFirst, [chosen]);
  const toggle = (id: string) => {
    const group = groups.find((one) => one.id === id);
    if (group) setChosen(new Map(chosen).set(id, !isOpen(group)));
  };
  const areAllOpen = groups.every(isOpen);
  const onToggleAll = () => setChosen(new Map(groups.map(({ id }) => [id, !areAllOpen])));
  return { isOpen, toggle, areAllOpen, onToggleAll };
}

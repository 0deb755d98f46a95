import { useCallback } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import type { FlowBranch, Slot } from '../edits/slot.ts';

/** A slot in words: what a click on it does. */
export function useSlotLabel(isMoving: boolean): (slot: Slot) => string {
  const { t } = useTranslation();
  return useCallback(
    (slot) => {
      if (slot.at === 'flow') return t(`graphEditor.addTo.${slot.branch satisfies FlowBranch}`);
      const { key, ...words } = placeOf(slot);
      return isMoving ? t(`graphEditor.moveTo.${key}`, words) : t(`graphEditor.addTo.${key}`, words);
    },
    [t, isMoving],
  );
}

interface Place {
  readonly key: 'before' | 'after' | 'between' | 'inside';
  readonly id: string;
  readonly other: string;
  readonly branch: string;
}

function placeOf(slot: Exclude<Slot, { at: 'flow' }>): Place {
  const nothing = { id: '', other: '', branch: '' };
  if (slot.at === 'inside') return { ...nothing, key: 'inside', id: slot.id, branch: slot.branch.join('.') };
  if (slot.at !== 'link') return { ...nothing, key: slot.at, id: slot.part.id };
  const { from, to } = slot;
  if (from !== undefined && to !== undefined) return { ...nothing, key: 'between', id: from, other: to };
  return { ...nothing, key: to === undefined ? 'after' : 'before', id: to ?? from ?? '' };
}

import { IconArrowBarToDown, IconPlus } from '@tabler/icons-react';
import { useOnViewportChange, useReactFlow, useStore, ViewportPortal } from '@xyflow/react';
import { memo, useCallback, useMemo, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import type { FlowBranch, Slot } from '../edits/slot.ts';
import styles from './GraphLayer.module.css';
import type { PlacedSlot } from './slotsOf.ts';

interface SlotButtonsProps {
  readonly slots: readonly PlacedSlot[];
  /** The slots that take the element that is being moved; undefined while nothing is moved. */
  readonly targets?: ReadonlySet<string> | undefined;
  /** The slot that a drop would use. */
  readonly active?: string | undefined;
  labelOf(slot: Slot): string;
  onChoose(slot: Slot): void;
}

/** Below this the buttons would be too small to hit. */
const SMALLEST_ZOOM = 0.35;
/** Up to here all of them are rendered; of more, those in view. */
const ALWAYS_SHOWN = 150;

/** A button on every edge: it adds a task there, or takes the task that is being moved. */
export const SlotButtons = memo(function SlotButtons(props: SlotButtonsProps) {
  const { slots, targets, active, labelOf, onChoose } = props;
  const isReadable = useStore((state) => state.transform[2] >= SMALLEST_ZOOM);
  const isSeen = useSeen(slots.length > ALWAYS_SHOWN);
  const shown = useMemo(
    () => slots.filter((slot) => isSeen(slot) && (!targets || targets.has(slot.key))),
    [slots, isSeen, targets],
  );
  if (!isReadable && !targets) return null;
  const Icon = targets ? IconArrowBarToDown : IconPlus;
  return (
    <ViewportPortal>
      {shown.map(({ key, slot, x, y }) => (
        <button
          key={key}
          type="button"
          className={`${styles.slot ?? ''} nopan`}
          data-slot={key}
          data-target={targets ? '' : undefined}
          data-active={key === active || undefined}
          // Nodes have keys for the same; a thousand more stops would hide them.
          tabIndex={targets ? 0 : -1}
          aria-label={labelOf(slot)}
          title={labelOf(slot)}
          style={{ transform: `translate(${x}px, ${y}px) translate(-50%, -50%)` }}
          onClick={(event) => {
            event.stopPropagation();
            onChoose(slot);
          }}
        >
          <Icon size={12} stroke={2.2} aria-hidden="true" />
        </button>
      ))}
    </ViewportPortal>
  );
});

/** Whether a point is in view or near it, once the picture rests. */
function useSeen(isLimited: boolean): (point: { x: number; y: number }) => boolean {
  const { getViewport } = useReactFlow();
  const size = useStore((state) => `${state.width} ${state.height}`);
  const [view, setView] = useState(getViewport);
  useOnViewportChange({ onEnd: setView });
  return useMemo(() => {
    if (!isLimited) return () => true;
    const [width = 0, height = 0] = size.split(' ').map(Number);
    const near = 200;
    return ({ x, y }: { x: number; y: number }) => {
      const left = x * view.zoom + view.x;
      const top = y * view.zoom + view.y;
      return left > -near && top > -near && left < width + near && top < height + near;
    };
  }, [isLimited, size, view]);
}

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

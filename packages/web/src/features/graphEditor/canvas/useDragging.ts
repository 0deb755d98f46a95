import { useReactFlow } from '@xyflow/react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTopology } from '../../topology/index.ts';
import type { Part, Slot } from '../edits/slot.ts';
import { partAt } from './partAt.ts';
import type { PlacedSlot } from './slotsOf.ts';

/** A press that moves less is a click. */
const THRESHOLD_PX = 6;
/** A drop takes the nearest slot within this distance. */
const REACH_PX = 110;
/** Near the border the picture follows the pointer. */
const BORDER_PX = 36;
const PAN_STEP_PX = 10;

interface Dragging {
  readonly part: Part;
  readonly targets: ReadonlySet<string>;
  /** The slot that a drop would use. */
  readonly active: string | undefined;
}

interface DragParts {
  readonly slots: readonly PlacedSlot[];
  targetsOf(part: Part): ReadonlySet<string>;
  onDrop(part: Part, slot: Slot): void;
}

/** Moves a task with the mouse: the slots that take it are shown, and the nearest one gets it. */
export function useDragging({ slots, targetsOf, onDrop }: DragParts) {
  const { frame, graph } = useTopology();
  const { getViewport, setViewport } = useReactFlow();
  const [dragging, setDragging] = useState<Dragging>();
  const ghost = useRef<HTMLDivElement>(null);
  const current = useRef<Dragging>(undefined);
  const show = (next: Dragging | undefined) => {
    current.current = next;
    setDragging(next);
  };
  const nearest = useEffectEvent((x: number, y: number, targets: ReadonlySet<string>) => {
    const view = getViewport();
    let best: { slot: PlacedSlot; distance: number } | undefined;
    for (const slot of slots) {
      if (!targets.has(slot.key)) continue;
      const distance = Math.hypot(slot.x * view.zoom + view.x - x, slot.y * view.zoom + view.y - y);
      if (distance < REACH_PX && distance < (best?.distance ?? Number.POSITIVE_INFINITY))
        best = { slot, distance };
    }
    return best?.slot;
  });
  const partOf = useEffectEvent((event: Event) => partAt(event.target, graph));
  const begin = useEffectEvent((part: Part) => show({ part, targets: targetsOf(part), active: undefined }));
  const follow = useEffectEvent((event: PointerEvent) => {
    const box = frame.current?.getBoundingClientRect();
    const known = current.current;
    if (!box || !known) return;
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    if (ghost.current) ghost.current.style.transform = `translate(${x + 12}px, ${y + 8}px)`;
    const dx = x < BORDER_PX ? PAN_STEP_PX : x > box.width - BORDER_PX ? -PAN_STEP_PX : 0;
    const dy = y < BORDER_PX ? PAN_STEP_PX : y > box.height - BORDER_PX ? -PAN_STEP_PX : 0;
    const view = getViewport();
    if (dx !== 0 || dy !== 0) void setViewport({ ...view, x: view.x + dx, y: view.y + dy });
    const active = nearest(x, y, known.targets)?.key;
    if (active !== known.active) show({ ...known, active });
  });
  const drop = useEffectEvent(() => {
    const known = current.current;
    show(undefined);
    const slot = slots.find(({ key }) => key === known?.active);
    if (known && slot) onDrop(known.part, slot.slot);
  });
  const cancel = useEffectEvent(() => show(undefined));

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    let pressed: { part: Part; x: number; y: number } | undefined;
    const press = (event: PointerEvent) => {
      const part = event.button === 0 && event.pointerType !== 'touch' ? partOf(event) : undefined;
      pressed = part && { part, x: event.clientX, y: event.clientY };
    };
    // The picture would be panned by the same press.
    const keepPicture = (event: MouseEvent) => {
      if (event.button === 0 && pressed) event.stopPropagation();
    };
    const drag = (event: PointerEvent) => {
      if (!pressed) return;
      if (!current.current) {
        if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < THRESHOLD_PX) return;
        begin(pressed.part);
      }
      event.preventDefault();
      follow(event);
    };
    const release = () => {
      if (current.current) {
        // The click that follows a drop selects nothing.
        window.addEventListener('click', swallow, { capture: true, once: true });
        setTimeout(() => window.removeEventListener('click', swallow, { capture: true }));
        drop();
      }
      pressed = undefined;
    };
    const leave = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !current.current) return;
      event.stopPropagation();
      pressed = undefined;
      cancel();
    };
    element.addEventListener('pointerdown', press, true);
    element.addEventListener('mousedown', keepPicture, true);
    window.addEventListener('pointermove', drag);
    window.addEventListener('pointerup', release);
    window.addEventListener('pointercancel', escapeDrag);
    window.addEventListener('keydown', leave, true);
    function escapeDrag() {
      pressed = undefined;
      cancel();
    }
    return () => {
      element.removeEventListener('pointerdown', press, true);
      element.removeEventListener('mousedown', keepPicture, true);
      window.removeEventListener('pointermove', drag);
      window.removeEventListener('pointerup', release);
      window.removeEventListener('pointercancel', escapeDrag);
      window.removeEventListener('keydown', leave, true);
    };
  }, [frame]);
  return { dragging, ghost };
}

function swallow(event: Event): void {
  event.stopPropagation();
  event.preventDefault();
}

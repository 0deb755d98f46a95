import { useReducedMotion } from '@mantine/hooks';
import { type OnMoveStart, useReactFlow } from '@xyflow/react';
import { type RefObject, useCallback, useEffect, useRef } from 'react';
import type { GraphLayout, Orientation, Rectangle } from './layout/layout.ts';
import { taskIdOf } from './toFlowNodes.ts';

const MARGIN_PX = 24;
/** The height of the bar above a graph that is edited; the graph begins below the bar. */
const BAR_PX = 40;
/** The width of the column of controls. */
const CONTROLS_PX = 48;
const LARGEST_ZOOM = 1.1;
const SMALLEST_READABLE_ZOOM = 0.55;
const OPENING_ZOOM = 0.8;

interface Watched {
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly layout: GraphLayout;
  readonly orientation: Orientation;
  readonly selectedTaskId?: string | undefined;
  readonly isEditable: boolean;
}

/**
 * Keeps the whole graph in view until the user takes over by panning or zooming; after that only a selection
 * out of sight moves the picture.
 */
export function useViewport({ frame, layout, orientation, selectedTaskId, isEditable }: Watched) {
  const { setViewport, getViewport } = useReactFlow();
  const duration = useReducedMotion() ? 0 : 150;
  const isTaken = useRef(false);
  const size = useRef(layout);
  size.current = layout;
  /** The frame when its size changed last: to measure it in the frame of a key would compute the layout twice. */
  const room = useRef<DOMRect>(undefined);

  const show = useCallback(
    (animated: boolean) => {
      const box = frame.current?.getBoundingClientRect();
      if (!box?.width) return;
      const reservedPx = isEditable ? BAR_PX : 0;
      const room = { width: box.width, height: box.height - reservedPx };
      const viewIn = (within: { width: number; height: number }) =>
        animated ? fitInto(size.current, within) : openingView(size.current, within, orientation);
      const usual = viewIn(room);
      // The controls stand at the left edge: a graph that would reach below them moves aside.
      const isCovered = usual.x < CONTROLS_PX && room.width > 4 * CONTROLS_PX;
      const beside = isCovered ? viewIn({ ...room, width: room.width - CONTROLS_PX }) : usual;
      const view = { ...beside, x: beside.x + (isCovered ? CONTROLS_PX : 0), y: beside.y + reservedPx };
      void setViewport(view, { duration: animated ? duration : 0 });
    },
    [frame, setViewport, duration, orientation, isEditable],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: turning the graph shows all of it again.
  useEffect(() => {
    isTaken.current = false;
  }, [orientation]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a graph of another size is fitted again.
  useEffect(() => {
    if (!isTaken.current) show(false);
  }, [layout.width, layout.height, orientation, show]);

  const selected = useRef(selectedTaskId);
  selected.current = selectedTaskId;
  const reveal = useCallback(() => {
    const target = selected.current === undefined ? undefined : findTask(size.current, selected.current);
    const box = room.current ?? frame.current?.getBoundingClientRect();
    if (!target || !box?.width) return;
    const view = getViewport();
    if (isInSight(target, view, box)) return;
    void setViewport(viewAt(target, view.zoom, size.current, box), { duration });
  }, [frame, getViewport, setViewport, duration]);

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      room.current = element.getBoundingClientRect();
      if (!isTaken.current) show(false);
      // The form of the chosen task has just opened beside it, or the window became smaller.
      reveal();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame, show, reveal]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another selection comes into view.
  useEffect(() => reveal(), [selectedTaskId, reveal]);

  const onMoveStart: OnMoveStart = useCallback((event) => {
    // Without an event the movement is ours.
    if (event) isTaken.current = true;
  }, []);
  const fit = useCallback(() => {
    isTaken.current = false;
    show(true);
  }, [show]);
  const focus = useCallback(
    (uid: string) => {
      const find = () =>
        frame.current?.querySelector<HTMLElement>(`.react-flow__node[data-id=${JSON.stringify(uid)}]`);
      const target =
        size.current.nodes.find((node) => node.uid === uid) ??
        size.current.clusters.find((cluster) => cluster.uid === uid);
      const box = frame.current?.getBoundingClientRect();
      if (!target || !box?.width) return find()?.focus({ preventScroll: true });
      const view = getViewport();
      isTaken.current = true;
      if (!isInSight(target, view, box)) {
        const zoom = Math.max(view.zoom, SMALLEST_READABLE_ZOOM);
        void setViewport(viewAt(target, zoom, size.current, box));
      }
      // A node that was out of view is rendered after the picture has moved.
      const found = find();
      if (found) found.focus({ preventScroll: true });
      else requestAnimationFrame(() => requestAnimationFrame(() => find()?.focus({ preventScroll: true })));
    },
    [frame, getViewport, setViewport],
  );
  return { onMoveStart, fit, focus };
}

export function fitInto(
  size: { width: number; height: number },
  box: { width: number; height: number },
): { x: number; y: number; zoom: number } {
  const zoom = Math.max(
    0.05,
    Math.min(
      LARGEST_ZOOM,
      (box.width - 2 * MARGIN_PX) / Math.max(size.width, 1),
      (box.height - 2 * MARGIN_PX) / Math.max(size.height, 1),
    ),
  );
  return { x: (box.width - size.width * zoom) / 2, y: (box.height - size.height * zoom) / 2, zoom };
}

/**
 * All of it, unless nothing could be read then: a large graph opens at its beginning, with its whole breadth in view
 * where that can be read.
 */
export function openingView(
  layout: Pick<GraphLayout, 'width' | 'height' | 'nodes'>,
  box: { width: number; height: number },
  orientation: Orientation,
): { x: number; y: number; zoom: number } {
  const all = fitInto(layout, box);
  // Triggers stand beside the way that the tasks go; the picture opens on that way.
  const first = layout.nodes.find(({ kind }) => kind !== 'trigger');
  if (all.zoom >= SMALLEST_READABLE_ZOOM || !first) return all;
  const [breadth, room] =
    orientation === 'vertical' ? [layout.width, box.width] : [layout.height, box.height];
  const fitting = (room - 2 * MARGIN_PX) / Math.max(breadth, 1);
  const zoom = Math.min(OPENING_ZOOM, Math.max(SMALLEST_READABLE_ZOOM, fitting));
  const middle =
    fitting >= zoom
      ? breadth / 2
      : orientation === 'vertical'
        ? first.x + first.width / 2
        : first.y + first.height / 2;
  const across = room / 2 - middle * zoom;
  return orientation === 'vertical' ? { x: across, y: MARGIN_PX, zoom } : { x: MARGIN_PX, y: across, zoom };
}

/** The target in the middle, or as near to it as the edges of the graph allow: empty space shows nothing. */
export function viewAt(
  target: Rectangle,
  zoom: number,
  size: { width: number; height: number },
  box: { width: number; height: number },
): { x: number; y: number; zoom: number } {
  const within = (wanted: number, length: number, room: number, before: number) => {
    const last = room - MARGIN_PX - length * zoom;
    const first = MARGIN_PX + before;
    return last >= first ? (room - length * zoom) / 2 : Math.min(first, Math.max(last, wanted));
  };
  const x = box.width / 2 - (target.x + target.width / 2) * zoom;
  const y = box.height / 2 - (target.y + Math.min(target.height, 60) / 2) * zoom;
  return {
    x: within(x, size.width, box.width, CONTROLS_PX),
    y: within(y, size.height, box.height, BAR_PX),
    zoom,
  };
}

const findTask = (layout: GraphLayout, taskId: string): Rectangle | undefined =>
  layout.nodes.find((placed) => taskIdOf(placed.node) === taskId) ??
  layout.clusters.find((placed) => taskIdOf(placed.header) === taskId);

function isInSight(
  target: Rectangle,
  view: { x: number; y: number; zoom: number },
  box: { width: number; height: number },
): boolean {
  const left = target.x * view.zoom + view.x;
  const top = target.y * view.zoom + view.y;
  const right = left + target.width * view.zoom;
  return left >= 0 && top >= 0 && right <= box.width && top + 30 * view.zoom <= box.height;
}

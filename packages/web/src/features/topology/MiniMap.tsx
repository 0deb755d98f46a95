import { type Node, Panel, useReactFlow, useStore, useStoreApi } from '@xyflow/react';
import { memo, type PointerEvent, useEffect, useMemo, useRef } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import type { GraphLayout, Rectangle } from './layout/layout.ts';
import type { ClusterData, NodeData } from './nodes.tsx';
import styles from './Topology.module.css';

export type FlowNode = Node<NodeData | ClusterData>;

const SIDE_PX = { min: 80, max: 240 };
/** Around the graph, in pixels of the overview. */
const MARGIN_PX = 5;
const ZOOM_STEP = 1.2;
const MIN_ZOOM = 0.05;
const MAX_ZOOM = 2;

interface MiniMapProps {
  readonly nodes: readonly FlowNode[];
  readonly layout: Pick<GraphLayout, 'width' | 'height'>;
}

/**
 * The whole graph in a corner, with the part in view. All nodes of a color are one path: React Flow's own overview has a
 * component for each node, and each of them computes something whenever the picture moves.
 */
export const MiniMap = memo(function MiniMap({ nodes, layout }: MiniMapProps) {
  const { t } = useTranslation();
  const store = useStoreApi();
  const { getViewport, setViewport } = useReactFlow();
  const drawing = useRef<SVGSVGElement>(null);
  const paths = useMemo(() => pathsOf(nodes), [nodes]);
  const { width, height } = sizeOf(layout);
  const view = useStore(viewOf, isSameView);
  const shown = boxAround(view, layout);
  const scale = Math.max(shown.width / width, shown.height / height, 1e-6);
  const margin = MARGIN_PX * scale;
  const box = {
    x: shown.x - (width * scale - shown.width) / 2 - margin,
    y: shown.y - (height * scale - shown.height) / 2 - margin,
    width: width * scale + 2 * margin,
    height: height * scale + 2 * margin,
  };

  /** Puts a point of the graph into the middle of the picture. */
  const center = (x: number, y: number) => {
    const { zoom } = getViewport();
    const { width: across, height: along } = store.getState();
    void setViewport({ x: across / 2 - x * zoom, y: along / 2 - y * zoom, zoom });
  };
  const pointAt = (event: PointerEvent<Element>) => {
    const frame = event.currentTarget.getBoundingClientRect();
    return {
      x: box.x + ((event.clientX - frame.left) / frame.width) * box.width,
      y: box.y + ((event.clientY - frame.top) / frame.height) * box.height,
    };
  };
  /** Where the part in view was taken, measured from its middle; a press beside it brings the place into view. */
  const taken = useRef<{ x: number; y: number }>(undefined);
  const press = (event: PointerEvent<Element>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const { x, y } = pointAt(event);
    const isInView = x >= view.x && x <= view.x + view.width && y >= view.y && y <= view.y + view.height;
    const middle = { x: view.x + view.width / 2, y: view.y + view.height / 2 };
    taken.current = isInView ? { x: x - middle.x, y: y - middle.y } : { x: 0, y: 0 };
    if (!isInView) center(x, y);
  };
  const move = (event: PointerEvent<Element>) => {
    if (!taken.current) return;
    const { x, y } = pointAt(event);
    center(x - taken.current.x, y - taken.current.y);
  };
  const release = () => {
    taken.current = undefined;
  };
  useEffect(() => {
    const element = drawing.current;
    // React listens to the wheel without the right to keep the page from scrolling.
    const turn = (event: WheelEvent) => {
      event.preventDefault();
      event.stopPropagation();
      const { x, y, zoom } = getViewport();
      const { width: across, height: along } = store.getState();
      const wanted = event.deltaY < 0 ? zoom * ZOOM_STEP : zoom / ZOOM_STEP;
      const next = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, wanted));
      const keep = (offset: number, room: number) => room / 2 - ((room / 2 - offset) / zoom) * next;
      void setViewport({ x: keep(x, across), y: keep(y, along), zoom: next });
    };
    element?.addEventListener('wheel', turn, { passive: false });
    return () => element?.removeEventListener('wheel', turn);
  }, [store, getViewport, setViewport]);

  return (
    <Panel position="bottom-right" className={`${styles.minimap ?? ''} nopan nowheel`}>
      <svg
        ref={drawing}
        width={width}
        height={height}
        viewBox={`${box.x} ${box.y} ${box.width} ${box.height}`}
        role="img"
        aria-label={t('topology.minimap')}
        onPointerDown={press}
        onPointerMove={move}
        onPointerUp={release}
        onPointerCancel={release}
      >
        {paths}
        <path className={styles.mask} d={`${rectangle(box, box.width)}${rectangle(view, 0)}`} />
      </svg>
    </Panel>
  );
});

interface ViewedState {
  readonly transform: readonly [number, number, number];
  readonly width: number;
  readonly height: number;
}

/** The part of the graph that is in view. */
const viewOf = ({ transform: [x, y, zoom], width, height }: ViewedState): Rectangle => ({
  x: -x / zoom,
  y: -y / zoom,
  width: width / zoom,
  height: height / zoom,
});

const isSameView = (a: Rectangle, b: Rectangle): boolean =>
  a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;

/** The overview has the shape of the graph, so that a long one is no thin line in a wide box. */
function sizeOf({ width, height }: MiniMapProps['layout']): { width: number; height: number } {
  const { min, max } = SIDE_PX;
  const scale = max / Math.max(width, height, 1);
  const side = (length: number) => Math.round(Math.min(max, Math.max(min, length * scale)));
  return { width: side(width), height: side(height) };
}

/** The graph and the part in view, which may be beside it. */
function boxAround(view: Rectangle, layout: MiniMapProps['layout']): Rectangle {
  const x = Math.min(0, view.x);
  const y = Math.min(0, view.y);
  return {
    x,
    y,
    width: Math.max(layout.width, view.x + view.width) - x,
    height: Math.max(layout.height, view.y + view.height) - y,
  };
}

function rectangle({ x, y, width, height }: Rectangle, outside: number): string {
  const [across, along] = [width + 2 * outside, height + 2 * outside];
  return `M${x - outside} ${y - outside}h${across}v${along}h${-across}z`;
}

function pathsOf(nodes: readonly FlowNode[]) {
  const byColor = new Map<string, string>();
  for (const node of nodes) {
    const color = colorOf(node);
    const box = { ...node.position, width: node.width ?? 0, height: node.height ?? 0 };
    byColor.set(color, (byColor.get(color) ?? '') + rectangle(box, 0));
  }
  return [...byColor].map(([fill, d]) => <path key={fill} d={d} fill={fill} />);
}

/** Tasks in the color of their state, containers as pale boxes below them. */
function colorOf({ data, type, selected }: FlowNode): string {
  if (selected) return 'var(--mr-brand)';
  if (type === 'cluster') return 'color-mix(in srgb, var(--mr-slate-solid) 22%, transparent)';
  if (type === 'dot' || type === 'marker') return 'var(--mr-border-strong)';
  return data.run ? `var(--mr-state-${data.run.state.toLowerCase()}-solid)` : 'var(--mr-slate-solid)';
}

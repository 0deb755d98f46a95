import '@xyflow/react/dist/base.css';
import type { Execution, FlowGraph, GraphNode } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { Background, type Edge, ReactFlow, ReactFlowProvider, ViewportPortal } from '@xyflow/react';
import { memo, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { readStored, writeStored } from '../../storage/storage.ts';
import { afterPaint } from '../../ui/afterPaint.ts';
import { lazyPart, Nothing } from '../../ui/lazyPart.tsx';
import { foldRuns } from '../iterations/index.ts';
import { Edges } from './Edges.tsx';
import { factsOf } from './Facts.tsx';
import { HoverCard } from './HoverCard.tsx';
import type { FreeLayout } from './layout/freeLayout.ts';
import { metricsFor, type Orientation } from './layout/layout.ts';
import { layoutGraph } from './layout/layoutGraph.ts';
import { type FlowNode, MiniMap } from './MiniMap.tsx';
import { isDirection, neighborOf } from './neighborOf.ts';
import { type Marks, nodeTypes } from './nodes.tsx';
import { pluginIconsQuery } from './PluginIcon.tsx';
import { groupRuns } from './runSummary.ts';
import { SubflowContext, type Subflows } from './SubflowToggle.tsx';
import styles from './Topology.module.css';
import { TopologyControls } from './TopologyControls.tsx';
import { TopologySearch } from './TopologySearch.tsx';
import { taskIdOf, toFlowNodes } from './toFlowNodes.ts';
import { TopologyContext } from './topologyView.ts';
import { useViewport } from './useViewport.ts';

const ExportMenu = lazyPart(() => import('./export/ExportMenu.tsx'), 'ExportMenu', Nothing);

/** Edges are drawn by us, all in one. */
const NO_EDGES: Edge[] = [];
const MINIMAP_FROM_NODES = 60;
const FULL_DETAIL_TO_NODES = 400;

interface TopologyProps {
  readonly graph: FlowGraph;
  /** The name of an exported picture; without it, the flow of the execution. */
  readonly flowId?: string | undefined;
  readonly execution?: Execution | undefined;
  readonly selectedTaskId?: string | undefined;
  readonly onSelect?: ((node: GraphNode) => void) | undefined;
  /** Where subflows can be drawn open in their place. */
  readonly subflows?: Subflows | undefined;
  /** What happened to the tasks and triggers between two revisions, by id. */
  readonly marks?: Marks | undefined;
  /** A small picture within a page: it runs from left to right, without controls, and leaves the wheel to the page. */
  readonly isPreview?: boolean;
  /** The layer that makes the graph editable; it finds the layout in `TopologyContext`. */
  readonly editing?: ReactNode;
}

/** A flow as a picture: what follows what, what runs beside what, and how far an execution has come. */
export const Topology = memo(function Topology(props: TopologyProps) {
  return (
    <ReactFlowProvider>
      <SubflowContext value={props.subflows}>
        <TopologyCanvas {...props} />
      </SubflowContext>
    </ReactFlowProvider>
  );
});

function TopologyCanvas(props: TopologyProps) {
  const { graph, execution, selectedTaskId, onSelect, marks, isPreview = false, editing } = props;
  const { flowId = execution?.flowId } = props;
  const { t } = useTranslation();
  const [orientation, setOrientation] = useState<Orientation>(() =>
    isPreview || readStored('topologyOrientation') === 'horizontal' ? 'horizontal' : 'vertical',
  );
  const hasStates = execution !== undefined;
  const isEditable = editing !== undefined;
  const metrics = useMemo(() => {
    const usual = metricsFor(hasStates, orientation);
    // The buttons on the first and last edges of a container need room, also beside the word of a branch.
    const labelledEntry = orientation === 'vertical' ? 62 : 110;
    return isEditable ? { ...usual, padding: 30, entry: 30, labelledEntry } : usual;
  }, [hasStates, orientation, isEditable]);
  const { freeLayout, askFor } = useFreeLayout();
  const layout = useMemo(
    () => layoutGraph(graph, { orientation, metrics, ...(freeLayout && { freeLayout }) }),
    [graph, orientation, metrics, freeLayout],
  );
  if (layout.hasFreePart) askFor();

  const { data: icons } = useQuery(pluginIconsQuery);
  const runs = useMemo(() => groupRuns(execution), [execution]);
  const { loops } = useMemo(() => foldRuns(execution?.taskRunList ?? []), [execution]);
  const drawn = useRef<ReturnType<typeof toFlowNodes>>([]);
  const nodes = useMemo(
    () =>
      keepNodes(drawn.current, toFlowNodes(layout, { runs, loops, icons, execution, selectedTaskId, marks })),
    [layout, runs, loops, icons, execution, selectedTaskId, marks],
  );
  useEffect(() => {
    drawn.current = nodes;
  }, [nodes]);
  const hasMiniMap = usePainted();
  const frame = useRef<HTMLDivElement>(null);
  const view = useViewport({ frame, layout, orientation, selectedTaskId, isEditable });

  const select = useCallback(
    (uid: string) => {
      const placed = layout.nodes.find((node) => node.uid === uid)?.node;
      const node = placed ?? layout.clusters.find((cluster) => cluster.uid === uid)?.header;
      if (node && taskIdOf(node) !== undefined) onSelect?.(node);
    },
    [layout, onSelect],
  );
  const turn = useCallback(() => {
    const next = orientation === 'vertical' ? 'horizontal' : 'vertical';
    setOrientation(next);
    writeStored('topologyOrientation', next);
  }, [orientation]);

  // Kept, so that a key that changes the graph does not render the controls again.
  const tools = useMemo(
    () => (
      <>
        <TopologySearch />
        <ExportMenu icons={icons} execution={execution} flowId={flowId} />
      </>
    ),
    [icons, execution, flowId],
  );
  const shown = useMemo(
    () => ({ graph, layout, orientation, frame, focus: view.focus }),
    [graph, layout, orientation, view.focus],
  );

  return (
    <TopologyContext value={shown}>
      <div
        className={styles.topology}
        ref={frame}
        data-keeps-focus={isEditable || undefined}
        data-size={nodes.length > FULL_DETAIL_TO_NODES ? 'large' : 'normal'}
      >
        <ReactFlow
          nodes={nodes}
          edges={NO_EDGES}
          nodeTypes={nodeTypes}
          minZoom={0.05}
          maxZoom={2}
          nodesDraggable={false}
          nodesConnectable={false}
          elevateNodesOnSelect={false}
          // These listen on the whole page: the space bar would be lost to an editor beside the graph.
          panActivationKeyCode={null}
          zoomActivationKeyCode={null}
          deleteKeyCode={null}
          selectionKeyCode={null}
          multiSelectionKeyCode={null}
          zoomOnDoubleClick={false}
          zoomOnScroll={!isPreview}
          preventScrolling={!isPreview}
          onlyRenderVisibleElements={nodes.length > FULL_DETAIL_TO_NODES}
          onNodeClick={(_, node) => select(node.id)}
          onKeyDown={(event) => {
            const uid = (event.target as HTMLElement).closest<HTMLElement>('[data-id]')?.dataset.id; // React Flow's own mark.
            if (!uid || event.altKey || event.ctrlKey || event.metaKey) return;
            if (event.key === 'Enter' || event.key === ' ') {
              event.preventDefault();
              select(uid);
            } else if (isDirection(event.key)) {
              event.preventDefault();
              const next = neighborOf(layout, uid, event.key);
              if (next !== undefined) view.focus(next);
            }
          }}
          onMoveStart={view.onMoveStart}
          aria-label={t('topology.label')}
          proOptions={{ hideAttribution: true }}
        >
          <Background gap={20} size={1.2} color="var(--mr-border-strong)" />
          <ViewportPortal>
            <Edges layout={layout} orientation={orientation} />
          </ViewportPortal>
          {!isPreview && hasMiniMap && nodes.length > MINIMAP_FROM_NODES && (
            <MiniMap nodes={nodes} layout={layout} />
          )}
          {!isPreview && (
            <TopologyControls orientation={orientation} onTurn={turn} onFit={view.fit}>
              {tools}
            </TopologyControls>
          )}
          <HoverCard />
          {editing}
        </ReactFlow>
      </div>
    </TopologyContext>
  );
}

/** Nodes that look the same stay the same objects, so that a keystroke or a selection redraws only what it changes. */
function keepNodes(known: readonly FlowNode[], next: readonly FlowNode[]): FlowNode[] {
  const byId = new Map(known.map((node) => [node.id, node]));
  return next.map((node) => {
    const old = byId.get(node.id);
    return old && lookOf(old) === lookOf(node) ? old : node;
  });
}

const looks = new WeakMap<FlowNode, string>();

function lookOf(node: FlowNode): string {
  let look = looks.get(node);
  if (look === undefined) {
    const { placed, run, isUnused, icon, mark } = node.data;
    const shown = 'node' in placed ? placed.node : placed.header;
    const definition = shown?.task ?? shown?.triggerDeclaration;
    look = JSON.stringify([
      [node.type, node.position, node.width, node.height, node.zIndex, node.selected],
      [definition?.id, definition?.type, definition?.disabled, shown?.branchType, placed.uid],
      [run, isUnused, icon?.length, mark, factsOf(shown)],
    ]);
    looks.set(node, look);
  }
  return look;
}

let loaded: FreeLayout | undefined;
let loading: Promise<FreeLayout> | undefined;

/** The layout for what is not series-parallel. Few flows need it, so its library is loaded at the first that does. */
function useFreeLayout(): { freeLayout: FreeLayout | undefined; askFor(): void } {
  const [freeLayout, setFreeLayout] = useState(() => loaded);
  const askFor = useCallback(() => {
    if (loaded) return;
    loading ??= import('./layout/dagreLayout.ts').then((module) => module.layoutWithDagre);
    void loading.then((found) => {
      loaded = found;
      setFreeLayout(() => found);
    });
  }, []);
  return { freeLayout, askFor };
}

/** Whether the first picture is there: the overview of a thousand nodes costs as much as what it is an overview of. */
function usePainted(): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    let isWanted = true;
    void afterPaint().then(() => isWanted && setPainted(true));
    return () => {
      isWanted = false;
    };
  }, []);
  return isPainted;
}

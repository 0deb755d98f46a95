import '@xyflow/react/dist/base.css';
import type { Execution, FlowGraph, GraphNode } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { Background, type Edge, MiniMap, ReactFlow, ReactFlowProvider, ViewportPortal } from '@xyflow/react';
import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readStored, writeStored } from '../../storage/storage.ts';
import { Edges } from './Edges.tsx';
import { keepNodes } from './keepNodes.ts';
import { layoutGraph } from './layout/layoutGraph.ts';
import { metricsFor, type Orientation } from './layout/metrics.ts';
import { nodeTypes } from './nodes.tsx';
import { pluginIconsQuery } from './queries.ts';
import { groupRuns } from './runSummary.ts';
import { SubflowContext, type Subflows } from './SubflowToggle.tsx';
import styles from './Topology.module.css';
import { TopologyControls } from './TopologyControls.tsx';
import { taskIdOf, toFlowNodes } from './toFlowNodes.ts';
import { useFreeLayout } from './useFreeLayout.ts';
import { usePainted } from './usePainted.ts';
import { useViewport } from './useViewport.ts';

/** Edges are drawn by us, all in one. */
const NO_EDGES: Edge[] = [];
const MINIMAP_FROM_NODES = 60;
const FULL_DETAIL_TO_NODES = 400;

interface TopologyProps {
  readonly graph: FlowGraph;
  readonly execution?: Execution | undefined;
  readonly selectedTaskId?: string | undefined;
  readonly onSelect?: ((node: GraphNode) => void) | undefined;
  /** Where subflows can be drawn open in their place. */
  readonly subflows?: Subflows | undefined;
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

function TopologyCanvas({ graph, execution, selectedTaskId, onSelect }: TopologyProps) {
  const { t } = useTranslation();
  const [orientation, setOrientation] = useState<Orientation>(() =>
    readStored('topologyOrientation') === 'horizontal' ? 'horizontal' : 'vertical',
  );
  const hasStates = execution !== undefined;
  const metrics = useMemo(() => metricsFor(hasStates, orientation), [hasStates, orientation]);
  const { freeLayout, askFor } = useFreeLayout();
  const layout = useMemo(
    () => layoutGraph(graph, { orientation, metrics, ...(freeLayout && { freeLayout }) }),
    [graph, orientation, metrics, freeLayout],
  );
  if (layout.hasFreePart) askFor();

  const { data: icons } = useQuery(pluginIconsQuery);
  const runs = useMemo(() => groupRuns(execution), [execution]);
  const drawn = useRef<ReturnType<typeof toFlowNodes>>([]);
  const nodes = useMemo(
    () => keepNodes(drawn.current, toFlowNodes(layout, { runs, icons, execution, selectedTaskId })),
    [layout, runs, icons, execution, selectedTaskId],
  );
  useEffect(() => {
    drawn.current = nodes;
  }, [nodes]);
  const hasMiniMap = usePainted();
  const frame = useRef<HTMLDivElement>(null);
  const view = useViewport({ frame, layout, orientation, selectedTaskId });

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

  return (
    <div
      className={styles.topology}
      ref={frame}
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
        onlyRenderVisibleElements={nodes.length > FULL_DETAIL_TO_NODES}
        onNodeClick={(_, node) => select(node.id)}
        onKeyDown={(event) => {
          const uid = (event.target as HTMLElement).closest<HTMLElement>('[data-id]')?.dataset.id; // React Flow's own mark.
          if (uid && (event.key === 'Enter' || event.key === ' ')) {
            event.preventDefault();
            select(uid);
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
        {hasMiniMap && nodes.length > MINIMAP_FROM_NODES && (
          <MiniMap
            className={styles.minimap ?? ''}
            pannable
            zoomable
            ariaLabel={t('topology.minimap')}
            nodeClassName={(node) => (node.type === 'cluster' ? styles.miniCluster : styles.miniNode) ?? ''}
          />
        )}
        <TopologyControls orientation={orientation} onTurn={turn} onFit={view.fit} />
      </ReactFlow>
    </div>
  );
}

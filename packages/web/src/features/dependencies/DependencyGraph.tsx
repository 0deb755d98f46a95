import '@xyflow/react/dist/base.css';
import { Graph, layout } from '@dagrejs/dagre';
import { useMediaQuery } from '@mantine/hooks';
import type { FlowTopology } from '@millrace/contract';
import {
  Background,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { FlowLink } from '../flows/index.ts';
import { TopologyControls } from '../topology/index.ts';
import styles from './DependencyGraph.module.css';

const fitting = { maxZoom: 1, padding: 0.15 };
/** Below it a chain of three could not be read from left to right. */
const NARROW = '(max-width: 767px)';

interface FlowNodeData extends Record<string, unknown> {
  /** What the card shows instead of the flow. */
  card: ReactNode;
  /** Missing for a flow that may not be seen. */
  namespace: string | undefined;
  id: string;
  isCurrent: boolean;
  isUpright: boolean;
}

interface DependencyGraphProps {
  topology: FlowTopology;
  /** The one that the page is about. */
  currentUid?: string | undefined;
  /** What the cards show when they are not about flows, by uid. */
  cards?: ReadonlyMap<string, ReactNode> | undefined;
  label?: string;
}

/**
 * Flows, or executions of them, from left to right, on a phone from the top down: each starts those that its arrows
 * lead to.
 */
export function DependencyGraph({ topology, currentUid, cards, label }: DependencyGraphProps) {
  const { t } = useTranslation();
  const isUpright = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false }) ?? false;
  const nodes = useMemo<Node<FlowNodeData>[]>(() => {
    const places = placeFlows(topology, { isUpright });
    return topology.nodes.map(({ uid, namespace, id }) => ({
      id: uid,
      type: 'flow',
      position: places.get(uid) ?? { x: 0, y: 0 },
      data: { namespace, id, isCurrent: uid === currentUid, isUpright, card: cards?.get(uid) },
    }));
  }, [topology, currentUid, cards, isUpright]);
  const edges = useMemo(
    () =>
      topology.edges.map(({ source, target, relation }) => ({
        id: `${source}>${target}>${relation}`,
        source,
        target,
        label: t(`dependencies.${relation}`),
        markerEnd: { type: MarkerType.ArrowClosed },
      })),
    [topology, t],
  );
  return (
    <div className={styles.graph}>
      <ReactFlowProvider>
        <ReactFlow
          // A new layout is fitted into view again.
          key={String(isUpright)}
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          nodesDraggable={false}
          nodesConnectable={false}
          deleteKeyCode={null}
          minZoom={0.1}
          maxZoom={1.5}
          fitView
          fitViewOptions={fitting}
          aria-label={label ?? t('dependencies.label')}
          proOptions={{ hideAttribution: true }}
        >
          <Background gap={20} size={1.2} color="var(--mr-border-strong)" />
          <FitControls />
        </ReactFlow>
      </ReactFlowProvider>
    </div>
  );
}

function FitControls() {
  const { fitView } = useReactFlow();
  return <TopologyControls onFit={() => void fitView(fitting)} />;
}

function FlowCard({ data }: NodeProps<Node<FlowNodeData>>) {
  const { t } = useTranslation();
  return (
    <div className={styles.card} data-current={data.isCurrent || undefined}>
      <Handle
        type="target"
        position={data.isUpright ? Position.Top : Position.Left}
        className={styles.handle ?? ''}
      />
      {data.card ? (
        data.card
      ) : data.namespace === undefined ? (
        <>
          <span className={styles.id}>{data.id}</span>
          <span className={styles.namespace}>{t('dependencies.noAccess')}</span>
        </>
      ) : (
        <>
          <FlowLink namespace={data.namespace} id={data.id} className={styles.id} />
          <span className={styles.namespace}>{data.namespace}</span>
        </>
      )}
      <Handle
        type="source"
        position={data.isUpright ? Position.Bottom : Position.Right}
        className={styles.handle ?? ''}
      />
    </div>
  );
}

const nodeTypes = { flow: FlowCard };

const cardWidth = 200;
export const cardHeight = 52;

/** Where the upper left corner of each flow's card goes, from left to right or from the top down. */
export function placeFlows(
  { nodes, edges }: FlowTopology,
  { isUpright = false } = {},
): Map<string, { x: number; y: number }> {
  const joined = new Set(edges.flatMap(({ source, target }) => [source, target]));
  // Side by side, many that are not joined would make all of them tiny.
  const inColumn = isUpright ? nodes.filter(({ uid }) => !joined.has(uid)) : [];
  const graph = new Graph();
  graph.setGraph({ rankdir: isUpright ? 'TB' : 'LR', nodesep: 24, ranksep: isUpright ? 64 : 110 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const node of nodes) {
    if (!inColumn.includes(node)) graph.setNode(node.uid, { width: cardWidth, height: cardHeight });
  }
  for (const { source, target } of edges) graph.setEdge(source, target);
  layout(graph);
  const { width = cardWidth, height = 0 } = graph.graph();
  return new Map(
    nodes.map((node) => {
      const row = inColumn.indexOf(node);
      if (row >= 0)
        return [node.uid, { x: (width - cardWidth) / 2, y: height + 24 + row * (cardHeight + 12) }];
      const { x, y } = graph.node(node.uid);
      return [node.uid, { x: x - cardWidth / 2, y: y - cardHeight / 2 }];
    }),
  );
}

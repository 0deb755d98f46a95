import type { Node, NodeProps, NodeTypes } from '@xyflow/react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { CopiedMark, StatePill, stateColours, TimeOpen } from '../../ui/index.ts';
import type { PlacedCluster, PlacedNode } from './layout/layout.ts';
import styles from './nodes.module.css';
import { IconImage } from './PluginIcon.tsx';
import type { RunSummary } from './runSummary.ts';
import { SubflowToggle } from './SubflowToggle.tsx';
import { shortType } from './shortType.ts';

export interface NodeData extends Record<string, unknown> {
  readonly placed: PlacedNode;
  readonly icon: string | null | undefined;
  readonly run?: RunSummary | undefined;
  /** The execution went another way. */
  readonly isUnused: boolean;
}

export interface ClusterData extends Record<string, unknown> {
  readonly placed: PlacedCluster;
  readonly icon: string | null | undefined;
  readonly run?: RunSummary | undefined;
  readonly isUnused: boolean;
}

const TaskNode = memo(function TaskNode({ data, selected }: NodeProps<Node<NodeData>>) {
  const { node, kind } = data.placed;
  const definition = node.task ?? node.triggerDeclaration;
  const isDisabled = definition?.disabled === true;
  return (
    <div
      className={styles.task}
      data-kind={kind}
      data-branch={node.branchType}
      data-state={data.run?.state}
      data-selected={selected || undefined}
      data-unused={data.isUnused || undefined}
      data-disabled={isDisabled || undefined}
      style={data.run && stateColours(data.run.state)}
    >
      <div className={styles.title}>
        <IconImage icon={data.icon} />
        <div className={styles.names}>
          <span className={styles.id} title={definition?.id}>
            {definition?.id}
          </span>
          <span className={styles.type} title={definition?.type}>
            {shortType(definition?.type ?? '')}
          </span>
        </div>
        {node.type === 'SubflowGraphTask' && <SubflowToggle node={node} />}
      </div>
      {data.run && <RunLine run={data.run} />}
    </div>
  );
});

const Cluster = memo(function Cluster({ data, selected }: NodeProps<Node<ClusterData>>) {
  const { header, role, branchType } = data.placed;
  const task = header?.task;
  return (
    <div
      className={styles.cluster}
      data-role={role}
      data-branch={branchType}
      data-state={data.run?.state}
      data-selected={selected || undefined}
      data-unused={data.isUnused || undefined}
      data-disabled={task?.disabled === true || undefined}
      style={data.run && stateColours(data.run.state)}
    >
      <div className={styles.header}>
        {task && <IconImage icon={data.icon} size={14} />}
        <span className={styles.id} title={task?.id}>
          {task?.id ?? <TriggersTitle />}
        </span>
        {task && <span className={styles.type}>{shortType(task.type)}</span>}
        {data.run?.isCopied && <CopiedMark />}
        {data.run && <StatePill state={data.run.state} size="sm" />}
        {role === 'subflow' && header && <SubflowToggle node={header} isOpen />}
      </div>
    </div>
  );
});

function TriggersTitle() {
  const { t } = useTranslation();
  return t('topology.triggers');
}

function RunLine({ run }: { run: RunSummary }) {
  const { t } = useTranslation();
  return (
    <div className={styles.run}>
      <StatePill state={run.state} size="sm" />
      {run.count > 1 && <span className={styles.times}>{t('topology.runs', { count: run.count })}</span>}
      {run.isCopied && <CopiedMark />}
      <span className={styles.duration}>
        <TimeOpen time={run.time} />
      </span>
    </div>
  );
}

const Dot = memo(function Dot() {
  return <span className={styles.dot} />;
});

const Marker = memo(function Marker({ data }: NodeProps<Node<NodeData>>) {
  const { t } = useTranslation();
  const isFinally = data.placed.node.type === 'GraphClusterFinally';
  return (
    <span className={styles.marker} data-branch={isFinally ? 'FINALLY' : 'AFTER_EXECUTION'}>
      {t(isFinally ? 'topology.finally' : 'topology.afterExecution')}
    </span>
  );
});

export const nodeTypes: NodeTypes = {
  task: TaskNode,
  trigger: TaskNode,
  dot: Dot,
  marker: Marker,
  cluster: Cluster,
};

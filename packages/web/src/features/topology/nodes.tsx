import type { Node, NodeProps, NodeTypes } from '@xyflow/react';
import { memo } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { CopiedIcon, StatePill, stateColours, TimeOpen } from '../../ui/index.ts';
import { StateCountChips, type StateCounts } from '../iterations/index.ts';
import { Facts } from './Facts.tsx';
import type { PlacedCluster, PlacedNode } from './layout/layout.ts';
import styles from './nodes.module.css';
import { IconImage } from './PluginIcon.tsx';
import type { RunSummary } from './runSummary.ts';
import { SubflowToggle } from './SubflowToggle.tsx';

export interface NodeData extends Record<string, unknown> {
  readonly placed: PlacedNode;
  readonly icon: string | null | undefined;
  readonly run?: RunSummary | undefined;
  /** The execution went another way. */
  readonly isUnused: boolean;
  readonly mark?: Mark | undefined;
}

export interface ClusterData extends Record<string, unknown> {
  readonly placed: PlacedCluster;
  readonly icon: string | null | undefined;
  readonly run?: RunSummary | undefined;
  readonly isUnused: boolean;
  readonly mark?: Mark | undefined;
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
      data-mark={data.mark}
      style={data.run && stateColours(data.run.state)}
    >
      <div className={styles.title}>
        <IconImage icon={data.icon} />
        <div className={styles.names}>
          <span className={styles.id}>{definition?.id}</span>
          <span className={styles.second}>
            <span className={styles.type}>{shortType(definition?.type ?? '')}</span>
            <Facts node={node} />
          </span>
        </div>
        {data.mark && <MarkLabel mark={data.mark} />}
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
      data-mark={data.mark}
      style={data.run && stateColours(data.run.state)}
    >
      <div className={styles.header} data-header>
        {task && <IconImage icon={data.icon} size={18} />}
        <span className={styles.id}>{task?.id ?? <TriggersTitle />}</span>
        {data.run?.iterations ? (
          <span className={styles.iterations}>
            <StateCountChips counts={data.run.iterations} />
          </span>
        ) : (
          task && <span className={styles.type}>{shortType(task.type)}</span>
        )}
        <Facts node={header} />
        {data.mark && <MarkLabel mark={data.mark} />}
        <span className={styles.space} />
        {data.run?.isCopied && <CopiedIcon />}
        {data.run && !data.run.iterations && <StatePill state={data.run.state} size="sm" />}
        {role === 'subflow' && header && <SubflowToggle node={header} isOpen />}
      </div>
    </div>
  );
});

function MarkLabel({ mark }: { mark: Mark }) {
  const { t } = useTranslation();
  return <span className={styles.mark}>{t(`topology.marks.${mark}`)}</span>;
}

function TriggersTitle() {
  const { t } = useTranslation();
  return t('topology.triggers');
}

function RunLine({ run }: { run: RunSummary }) {
  const total = run.counts.reduce((sum, [, count]) => sum + count, 0);
  return (
    <div className={styles.run}>
      {total > 1 ? <StateCountChips counts={run.counts} /> : <StatePill state={run.state} size="sm" />}
      {run.isCopied && <CopiedIcon />}
      <span className={styles.duration}>
        <TimeOpen time={run.time} />
      </span>
      {total > 1 && <StateShares counts={run.counts} total={total} />}
    </div>
  );
}

/** The states of many runs as shares of the width. */
function StateShares({ counts, total }: { counts: StateCounts; total: number }) {
  return (
    <span className={styles.shares} aria-hidden>
      {counts.map(([state, count]) => (
        <i
          key={state}
          style={{
            width: `${(count / total) * 100}%`,
            background: `var(--mr-state-${state.toLowerCase()}-solid)`,
          }}
        />
      ))}
    </span>
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

/** `io.kestra.plugin.core.log.Log` and `core.log.Log` both read `log.Log`: the part that tells types apart. */
export const shortType = (type: string): string => type.split('.').slice(-2).join('.');

type Change = 'added' | 'removed' | 'changed' | 'moved' | 'renamed';
type CoverageMark = 'covered' | 'partlyCovered' | 'notCovered';

/** What happened to a task or trigger between two revisions, or how much of it the tests of the flow reach. */
export type Mark = Change | CoverageMark;

/** Marks by the id of the task or trigger. */
export type Marks = ReadonlyMap<string, Mark>;

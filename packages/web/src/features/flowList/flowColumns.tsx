import type { Execution, Flow } from '@millrace/contract';
import { IconBolt } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { StackedBars } from '../../ui/charts/StackedBars.tsx';
import { type Column, DateAgo, StatePill, stateColumnWidth, Tags } from '../../ui/index.ts';
import { plainText } from '../../ui/markdown/plainText.ts';
import { ExecutionLink } from '../executions/index.ts';
import { FlowLink } from '../flows/index.ts';
import { stateSeries } from '../stats/index.ts';
import { FlowRowActions } from './FlowRowActions.tsx';
import styles from './flowColumns.module.css';
import type { FlowActivity } from './useFlowActivity.ts';

interface Options {
  activityOf: (flow: Flow) => FlowActivity;
  /** Inside a namespace's page its name needs no column. */
  ofNamespace?: boolean;
}

export function flowColumns(t: TFunction, { activityOf, ofNamespace = false }: Options): Column<Flow>[] {
  const series = stateSeries(t);
  const columns: Column<Flow>[] = [
    {
      id: 'id',
      header: t('flow.id'),
      cell: ({ namespace, id, disabled, description }) => (
        <span className={styles.name}>
          <FlowLink namespace={namespace} id={id} className={styles.id} />
          {disabled && <span className={styles.disabled}>{t('flow.disabled')}</span>}
          {description && <span className={styles.description}>{plainText(description)}</span>}
        </span>
      ),
      sortField: 'id',
      identifies: true,
    },
    {
      id: 'namespace',
      header: t('flow.namespace'),
      cell: ({ namespace }) => (
        <Link to="/{-$tenant}/flows" search={{ namespace }} className={styles.quiet}>
          {namespace}
        </Link>
      ),
      sortField: 'namespace',
      width: '16%',
      hideBelow: 'sm',
    },
    {
      id: 'labels',
      header: t('flow.labels'),
      cell: ({ labels = [] }) => <Tags items={labels} max={2} />,
      width: 190,
      hideBelow: 'xl',
    },
    {
      id: 'lastState',
      header: t('flow.lastState'),
      cell: (flow) => <LastState execution={activityOf(flow).latest} />,
      width: stateColumnWidth,
    },
    {
      id: 'lastRun',
      header: t('flow.lastRun'),
      cell: (flow) => {
        const date = activityOf(flow).latest?.state.startDate;
        return date && <DateAgo value={date} />;
      },
      width: 142,
      hideBelow: 'lg',
    },
    {
      id: 'runs',
      header: t('flow.recentRuns'),
      cell: (flow) => {
        const { days } = activityOf(flow);
        return days && <StackedBars label={t('flow.recentRuns')} buckets={days} series={series} size="sm" />;
      },
      width: 150,
      hideBelow: 'md',
    },
    {
      id: 'triggers',
      header: t('flow.triggers'),
      cell: ({ triggers = [] }) =>
        triggers.length > 0 && (
          <span className={styles.triggers} title={triggers.map((trigger) => trigger.id).join(', ')}>
            <IconBolt size={14} stroke={1.7} aria-hidden="true" />
            {triggers.length}
          </span>
        ),
      width: 84,
      hideBelow: 'xl',
    },
    {
      id: 'revision',
      header: t('flow.revision'),
      cell: ({ revision }) => revision,
      width: 90,
      align: 'right',
      optional: true,
    },
    {
      id: 'actions',
      header: t('table.actions'),
      cell: (flow) => <FlowRowActions flow={flow} />,
      width: 84,
      align: 'right',
      hidesHeader: true,
      identifies: true,
    },
  ];
  return ofNamespace ? columns.filter(({ id }) => id !== 'namespace') : columns;
}

function LastState({ execution }: { execution: Execution | undefined }) {
  if (!execution) return null;
  const { id, namespace, flowId, state } = execution;
  return (
    <ExecutionLink id={id} namespace={namespace} flowId={flowId}>
      <StatePill state={state.current} />
    </ExecutionLink>
  );
}

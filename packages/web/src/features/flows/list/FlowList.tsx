import type { Execution, Flow } from '@millrace/contract';
import { IconBolt, IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, Suspense, useCallback, useMemo, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { type Bucket, StackedBars } from '../../../ui/charts/StackedBars.tsx';
import { Hint } from '../../../ui/Hint.tsx';
import {
  type Column,
  DateAgo,
  ResourceList,
  rangeParameters,
  StatePill,
  stateColumnWidth,
  Tags,
  useListView,
} from '../../../ui/index.ts';
import { lazyPart } from '../../../ui/lazyPart.tsx';
import { plainText } from '../../../ui/markdown/plainText.ts';
import { RowButton } from '../../../ui/menu/RowButton.tsx';
import { RowMenu } from '../../../ui/menu/RowMenu.tsx';
import { ExecuteDialog, ExecutionLink } from '../../executions/index.ts';
import { useFilterFields } from '../../listing/index.ts';
import {
  dailyByFlowQuery,
  ExecutionsChart,
  executionBuckets,
  latestByFlowQuery,
  stateSeries,
  useQueryWithStats,
} from '../../stats/index.ts';
import { FlowLink, flowOrder, flowsQuery } from '../index.ts';
import styles from './FlowList.module.css';

const FlowBulkActions = lazyPart(() => import('./FlowBulkActions.tsx'), 'FlowBulkActions');

const lastMonth = { kind: 'relative', duration: 'P30D' } as const;

interface FlowListProps {
  /** Names what is remembered of this list in the browser. */
  name: string;
  /** The namespace that the page around the list is about. */
  namespace?: string;
  empty: ReactNode;
}

/** The flows of everything, or of a namespace. */
export function FlowList({ name, namespace, empty }: FlowListProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const fields = useFilterFields('flow', {
    prominent: namespace ? ['labels'] : ['namespace', 'labels'],
    without: namespace ? ['namespace'] : [],
  });
  const view = useListView({ fields, ...flowOrder, ...(namespace && { fixed: { namespace } }) });
  const query = useQuery(flowsQuery(view.query));
  const activityOf = useFlowActivity(query.data?.results);
  const columns = useMemo(
    () => flowColumns(t, { activityOf, ofNamespace: namespace !== undefined }),
    [t, activityOf, namespace],
  );
  return (
    <ResourceList
      name={name}
      label={t('nav.flows')}
      placeholder={t('flow.search')}
      view={view}
      columns={columns}
      query={useQueryWithStats(query)}
      rowId={(flow) => `${flow.namespace}.${flow.id}`}
      isDimmed={(flow) => flow.disabled}
      onOpen={(flow) =>
        void navigate({
          to: '/{-$tenant}/flows/edit/$namespace/$id/{-$tab}',
          params: { namespace: flow.namespace, id: flow.id },
          search: {},
        })
      }
      bulkActions={(selection, clear) => (
        <Suspense>
          <FlowBulkActions selection={selection} filters={view.filters} onDone={clear} />
        </Suspense>
      )}
      chart={
        <ExecutionsChart
          of="executions"
          filters={filtersOfPlace(view.filters)}
          range={lastMonth}
          beginsWithData
          onRange={(range) =>
            void navigate({
              to: '/{-$tenant}/executions',
              search: { ...filtersOfPlace(view.filters), ...rangeParameters(range) },
            })
          }
        />
      }
      empty={empty}
    />
  );
}

/** What a filter of flows means for their executions: where they are. Texts and labels of a flow are not theirs. */
const filtersOfPlace = (filters: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(filters).filter(([name]) => /^(filters\[)?(namespace|flowId|scope)\b/.test(name)),
  );

interface Options {
  activityOf: (flow: Flow) => FlowActivity;
  /** Inside a namespace's page its name needs no column. */
  ofNamespace?: boolean;
}

function flowColumns(t: TFunction, { activityOf, ofNamespace = false }: Options): Column<Flow>[] {
  const series = stateSeries(t);
  const columns: Column<Flow>[] = [
    {
      id: 'id',
      header: t('flow.id'),
      cell: ({ namespace, id, disabled, description, unknownTypes }) => (
        <span className={styles.name}>
          <FlowLink namespace={namespace} id={id} className={styles.id} />
          {disabled && <span className={styles.disabled}>{t('flow.disabled')}</span>}
          {unknownTypes && (
            <span className={styles.missing} title={unknownTypes.join(', ')}>
              {t('flow.pluginMissing')}
            </span>
          )}
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

const FlowRowItems = lazyPart(() => import('./FlowRowItems.tsx'), 'FlowRowItems');

function FlowRowActions({ flow }: { flow: Flow }) {
  const { t } = useTranslation();
  const [isExecuting, setExecuting] = useState(false);
  const { namespace, id } = flow;
  return (
    <>
      <Hint label={t('flow.execute')}>
        <RowButton
          onClick={() => setExecuting(true)}
          disabled={flow.disabled}
          aria-label={t('flow.executeNamed', { id })}
        >
          <IconPlayerPlay size={16} stroke={1.7} />
        </RowButton>
      </Hint>
      <RowMenu label={t('flow.more', { id })}>
        {() => (
          <Suspense>
            <FlowRowItems flow={flow} />
          </Suspense>
        )}
      </RowMenu>
      {isExecuting && <ExecuteDialog namespace={namespace} flowId={id} onClose={() => setExecuting(false)} />}
    </>
  );
}

interface FlowActivity {
  /** The execution that ended last. */
  latest?: Execution | undefined;
  /** What ran, per day. */
  days?: Bucket[] | undefined;
}

/** How the flows of one page of the list went lately: two calls for all of them together. */
function useFlowActivity(flows: readonly Flow[] | undefined): (flow: Flow) => FlowActivity {
  const { i18n } = useTranslation();
  const keys = useMemo(() => (flows ?? []).map(({ namespace, id }) => ({ namespace, id })), [flows]);
  const { data: latest } = useQuery(latestByFlowQuery(keys));
  const { data: daily } = useQuery(dailyByFlowQuery(keys));
  return useCallback(
    ({ namespace, id }) => {
      const days = daily?.[namespace]?.[id];
      return {
        latest: latest?.find((one) => one.namespace === namespace && one.flowId === id),
        days: days && executionBuckets(days, i18n.language),
      };
    },
    [latest, daily, i18n.language],
  );
}

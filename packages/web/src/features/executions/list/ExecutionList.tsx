import { type Execution, playgroundKind, type StateType, tables } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { useConfiguration } from '../../../shell/configuration.ts';
import {
  type Column,
  Id,
  PlaygroundIcon,
  ResourceList,
  refreshMs,
  Tags,
  useListView,
  useLive,
} from '../../../ui/index.ts';
import { lazyPart, Nothing } from '../../../ui/lazyPart.tsx';
import { RowMenu } from '../../../ui/menu/RowMenu.tsx';
import { FlowLink } from '../../flows/index.ts';
import { exportLinks, ofFlow, useFilterFields } from '../../listing/index.ts';
import { ExecutionsChart, useQueryWithStats } from '../../stats/index.ts';
import { type ExecutionAction, isLive } from '../actions/executionActions.ts';
import { ExecutionLink } from '../ExecutionLink.tsx';
import { executionOrder, executionsQuery } from '../queries.ts';
import { CurrentTaskCell } from './CurrentTaskCell.tsx';
import styles from './ExecutionList.module.css';
import { GridLink } from './GridLink.tsx';
import { stateColumn, timeColumns } from './runColumns.tsx';

const ExecutionActionDialog = lazyPart(
  () => import('../actions/ExecutionActionDialog.tsx'),
  'ExecutionActionDialog',
  Nothing,
);

const ExecutionBulkActions = lazyPart(() => import('./ExecutionBulkActions.tsx'), 'ExecutionBulkActions');

interface ExecutionListProps {
  /** Names what is remembered of this list in the browser. */
  name: string;
  /** What the page around the list is about. */
  of?: { namespace: string; flowId?: string };
  /** Only these states, whatever the address says; all of them otherwise. */
  states?: readonly StateType[];
  empty: ReactNode;
}

/** The executions of everything, of a namespace or of one flow. */
export function ExecutionList({ name, of, states, empty }: ExecutionListProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { hiddenLabelsPrefixes } = useConfiguration();
  const fields = useFilterFields('execution', {
    prominent: of ? ['state'] : ['namespace', 'state'],
    without: [...(of ? (['namespace', 'flowId'] as const) : []), ...(states ? (['state'] as const) : [])],
  });
  const view = useListView({
    fields,
    ...executionOrder,
    ...(of && { fixed: { ...fixedOf(of), ...(states && { state: [...states] }) } }),
  });
  const live = useLive(view);
  const query = useQuery({
    ...executionsQuery(view.query),
    refetchInterval: ({ state }) => refreshEvery(state.data?.results, live.isOn),
  });
  const columns = useMemo(
    () => executionColumns(t, { hiddenLabels: hiddenLabelsPrefixes, ofOneFlow: of?.flowId !== undefined }),
    [t, hiddenLabelsPrefixes, of?.flowId],
  );
  return (
    <ResourceList
      name={name}
      label={t('nav.executions')}
      placeholder={t('execution.search')}
      view={view}
      columns={columns}
      query={useQueryWithStats(query)}
      live={live}
      exports={exportLinks(view, tables.exportExecutionsAsCsv, tables.exportExecutionsAsJson)}
      tools={<GridLink of={of} filters={view.filters} />}
      rowId={(execution) => execution.id}
      onOpen={({ namespace, flowId, id }) =>
        void navigate({
          to: '/{-$tenant}/executions/$namespace/$flowId/$id/{-$tab}',
          params: { namespace, flowId, id },
          search: {},
        })
      }
      bulkActions={(selection, clear) => (
        <Suspense>
          <ExecutionBulkActions selection={selection} filters={view.filters} onDone={clear} />
        </Suspense>
      )}
      chart={
        // The chart counts ends; of what has not ended there is nothing to count.
        view.range &&
        !states && (
          <ExecutionsChart
            of="executions"
            filters={view.filters}
            range={view.range}
            beginsWithData={!view.isRangeChosen}
            onRange={view.setRange}
            refetchInterval={live.isOn && refreshMs}
          />
        )
      }
      empty={empty}
    />
  );
}

const fixedOf = ({ namespace, flowId }: NonNullable<ExecutionListProps['of']>) =>
  flowId === undefined ? { namespace } : ofFlow({ namespace, flowId });

interface Options {
  /** Label keys that begin with one of these are the product's own and not shown. */
  hiddenLabels: readonly string[];
  /** Inside a flow's page its name needs no columns. */
  ofOneFlow?: boolean;
}

function executionColumns(t: TFunction, { hiddenLabels, ofOneFlow = false }: Options): Column<Execution>[] {
  const columns: Column<Execution>[] = [
    stateColumn(t),
    {
      id: 'id',
      header: t('execution.id'),
      cell: ({ id, namespace, flowId }) => (
        <Id value={id} short>
          {(shown) => (
            <ExecutionLink id={id} namespace={namespace} flowId={flowId}>
              {shown}
            </ExecutionLink>
          )}
        </Id>
      ),
      sortField: 'id',
      width: 'clamp(84px, 12cqw, 136px)',
      identifies: true,
    },
    {
      id: 'flow',
      header: t('execution.flow'),
      cell: ({ namespace, flowId }) => <FlowLink namespace={namespace} id={flowId} className={styles.flow} />,
      sortField: 'flowId',
    },
    {
      id: 'namespace',
      header: t('flow.namespace'),
      cell: ({ namespace }) => <span className={styles.quiet}>{namespace}</span>,
      sortField: 'namespace',
      hideBelow: 'md',
    },
    ...timeColumns<Execution>(t),
    {
      id: 'labels',
      header: t('flow.labels'),
      cell: ({ labels }) => (
        <Tags
          items={labels.filter(({ key }) => !hiddenLabels.some((prefix) => key.startsWith(prefix)))}
          max={2}
        />
      ),
      hideBelow: 'xl',
    },
    {
      id: 'trigger',
      header: t('execution.trigger'),
      cell: ({ trigger, kind }) =>
        kind === playgroundKind ? (
          <PlaygroundIcon />
        ) : (
          <span className={styles.quiet}>{trigger?.id ?? t('execution.manual')}</span>
        ),
      width: 120,
      hideBelow: 'lg',
    },
    {
      id: 'currentTask',
      header: t('execution.currentTask'),
      cell: (execution) => <CurrentTaskCell execution={execution} />,
      width: 180,
      optional: true,
    },
    {
      id: 'inputs',
      header: t('execution.inputs'),
      cell: ({ inputs }) => <ValuesCell values={inputs} />,
      optional: true,
    },
    {
      id: 'outputs',
      header: t('execution.outputs'),
      cell: ({ outputs }) => <ValuesCell values={outputs} />,
      optional: true,
    },
    {
      id: 'revision',
      header: t('flow.revision'),
      cell: ({ flowRevision }) => flowRevision,
      width: 90,
      align: 'right',
      optional: true,
    },
    {
      id: 'actions',
      header: t('table.actions'),
      cell: (execution) => <ExecutionRowActions execution={execution} />,
      width: 56,
      align: 'right',
      hidesHeader: true,
      hideBelow: 'sm',
      identifies: true,
    },
  ];
  return ofOneFlow ? columns.filter(({ id }) => id !== 'flow' && id !== 'namespace') : columns;
}

/** The values as one line; the whole of them on hover. */
function ValuesCell({ values = {} }: { values: Record<string, unknown> | undefined }) {
  const entries = Object.entries(values);
  if (entries.length === 0) return null;
  const text = entries.map(([name, value]) => `${name}: ${textOf(value)}`).join(', ');
  return (
    <span className={styles.values} title={shorten(text, 1_000)}>
      {shorten(text, 200)}
    </span>
  );
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

const shorten = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most)}…` : text;

const ExecutionActionItems = lazyPart(() => import('../actions/ExecutionMenu.tsx'), 'ExecutionActionItems');

const CompareItem = lazyPart(() => import('../actions/ExecutionMenu.tsx'), 'CompareItem');

function ExecutionRowActions({ execution }: { execution: Execution }) {
  const { t } = useTranslation();
  const [chosen, choose] = useState<ExecutionAction>();
  return (
    <>
      <RowMenu label={t('execution.more', { id: execution.id })}>
        {() => (
          <Suspense>
            <CompareItem id={execution.id} />
            <ExecutionActionItems state={execution.state.current} onChoose={choose} />
          </Suspense>
        )}
      </RowMenu>
      {chosen && (
        <ExecutionActionDialog
          action={chosen}
          execution={execution}
          onClose={() => choose(undefined)}
          onDeleted={() => {}}
        />
      )}
    </>
  );
}

/** Something on the page is moving: look often. Nothing is: look now and then for what is new. */
const refreshEvery = (rows: readonly Execution[] | undefined, isOn: boolean): number | false =>
  isOn && (rows?.some(isLive) ? 2_000 : refreshMs);

import { type QueryInputOf, type TaskRun, tables, taskRuns } from '@millrace/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import {
  type Column,
  CopiedIcon,
  EditedIcon,
  EmptyState,
  Id,
  LinkButton,
  Page,
  ResourceList,
  refreshMs,
  useListView,
  useLive,
} from '../../ui/index.ts';
import { ExecutionLink, stateColumn, timeColumns } from '../executions/index.ts';
import { FlowLink } from '../flows/index.ts';
import { exportLinks, useFilterFields } from '../listing/index.ts';
import { ExecutionsChart, useQueryWithStats } from '../stats/index.ts';

const defaultRange = 'P30D';

export function TaskRunListPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const fields = useFilterFields('task', { prominent: ['namespace', 'state'] });
  const view = useListView({ fields, defaultSort: 'state.startDate:desc', defaultRange });
  const live = useLive(view);
  const query = useQuery({
    queryKey: ['taskRuns', currentTenant(), view.query],
    queryFn: ({ signal }) =>
      call(taskRuns.searchTaskRuns, {
        query: view.query as QueryInputOf<typeof taskRuns.searchTaskRuns>, // Built from the server's own fields.
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: live.isOn && refreshMs,
  });
  const columns = useMemo(() => taskRunColumns(t), [t]);
  return (
    <Page title={t('nav.taskRuns')}>
      <ResourceList<TaskRun>
        name="task-runs"
        label={t('nav.taskRuns')}
        placeholder={t('taskRunList.search')}
        view={view}
        columns={columns}
        query={useQueryWithStats(query)}
        live={live}
        exports={exportLinks(view, tables.exportTaskRunsAsCsv, tables.exportTaskRunsAsJson)}
        rowId={(run) => run.id}
        onOpen={({ namespace, flowId, executionId, id }) =>
          void navigate({
            to: '/{-$tenant}/executions/$namespace/$flowId/$id/{-$tab}',
            params: { namespace, flowId, id: executionId, tab: 'gantt' },
            search: { taskRunId: id },
          })
        }
        chart={
          view.range && (
            <ExecutionsChart
              of="taskRuns"
              filters={view.filters}
              range={view.range}
              beginsWithData={!view.isRangeChosen}
              onRange={view.setRange}
              refetchInterval={live.isOn && refreshMs}
            />
          )
        }
        empty={
          <EmptyState
            illustration="stillWater"
            title={t('taskRunList.none')}
            text={t('taskRunList.noneText')}
            action={
              <LinkButton to="/{-$tenant}/flows" search={{}}>
                {t('execution.chooseFlow')}
              </LinkButton>
            }
          />
        }
      />
    </Page>
  );
}

const taskRunColumns = (t: TFunction): Column<TaskRun>[] => [
  stateColumn(t),
  {
    id: 'task',
    header: t('taskRunList.task'),
    cell: ({ taskId, value, executionId, namespace, flowId, id, copied, edited }) => (
      <>
        <ExecutionLink id={executionId} namespace={namespace} flowId={flowId} tab="gantt" taskRunId={id}>
          {value === undefined ? taskId : `${taskId} · ${value}`}
        </ExecutionLink>
        {copied && <CopiedIcon />}
        {edited && <EditedIcon />}
      </>
    ),
    sortField: 'taskId',
    identifies: true,
  },
  {
    id: 'execution',
    header: t('taskRunList.execution'),
    cell: ({ executionId, namespace, flowId }) => (
      <Id value={executionId} short>
        {(shown) => (
          <ExecutionLink id={executionId} namespace={namespace} flowId={flowId}>
            {shown}
          </ExecutionLink>
        )}
      </Id>
    ),
    width: 136,
    hideBelow: 'md',
  },
  {
    id: 'flow',
    header: t('execution.flow'),
    cell: ({ namespace, flowId }) => <FlowLink namespace={namespace} id={flowId} />,
    sortField: 'flowId',
  },
  {
    id: 'namespace',
    header: t('flow.namespace'),
    cell: ({ namespace }) => namespace,
    sortField: 'namespace',
    hideBelow: 'lg',
  },
  ...timeColumns<TaskRun>(t),
  {
    id: 'attempts',
    header: t('taskRunList.attempts'),
    cell: ({ attempts = [] }) => attempts.length || '',
    width: 90,
    align: 'right',
    hideBelow: 'lg',
  },
];

import { type QueryInputOf, type TaskRun, taskRuns } from '@millrace/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { currentTenant } from '../../../api/tenant.ts';
import {
  EmptyState,
  LinkButton,
  Page,
  ResourceList,
  refreshMs,
  useListView,
  useLive,
} from '../../../ui/index.ts';
import { useFilterFields } from '../../listing/index.ts';
import { ExecutionsChart, useQueryWithStats } from '../../stats/index.ts';
import { taskRunColumns } from '../taskRunColumns.tsx';

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

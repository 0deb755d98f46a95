import type { MetricEntry } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { formatDuration } from '../../../format/duration.ts';
import { formatNumber } from '../../../format/number.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import {
  type Column,
  DataTable,
  EmptyState,
  Pager,
  pageSizeOf,
  rememberPageSize,
  Tags,
} from '../../../ui/index.ts';
import { ExecutionLink } from '../ExecutionLink.tsx';
import { metricsQuery } from '../queries.ts';
import { TaskRunFilterChip } from './TaskRunFilterChip.tsx';
import type { ExecutionTabProps } from './tabParts.ts';

const allColumns = {};

/** The numbers that the tasks of an execution reported; of the selected task run, when there is one. */
export function ExecutionMetrics({
  execution,
  isLive,
  selectedId,
  onSelect,
  search,
  keep,
}: ExecutionTabProps) {
  const { t } = useTranslation();
  const { page = 1, sort } = search;
  const selected = execution.taskRunList?.find((run) => run.id === selectedId);
  const size = pageSizeOf(search.size);
  const { data, error, refetch } = useQuery({
    ...metricsQuery(execution.id, { page, sort, size, taskRunId: selected?.id }),
    refetchInterval: isLive && 2_000,
  });
  const columns = useMemo<Column<MetricEntry>[]>(
    () => [
      {
        id: 'task',
        header: t('metric.task'),
        sortField: 'taskId',
        identifies: true,
        cell: ({ taskId, taskRunId }) =>
          taskRunId ? (
            <ExecutionLink {...execution} tab="gantt" taskRunId={taskRunId}>
              {taskId}
            </ExecutionLink>
          ) : (
            taskId
          ),
      },
      { id: 'name', header: t('metric.name'), sortField: 'name', cell: ({ name }) => name },
      {
        id: 'value',
        header: t('metric.value'),
        sortField: 'value',
        align: 'right',
        cell: ({ type, value }) =>
          // Timers are kept in milliseconds.
          type === 'timer' ? formatDuration(value) : formatNumber(value),
      },
      {
        id: 'tags',
        header: t('metric.tags'),
        cell: ({ tags = {} }) => (
          <Tags items={Object.entries(tags).map(([key, value]) => ({ key, value }))} />
        ),
      },
    ],
    [t, execution],
  );
  return (
    <>
      {selected && (
        <TaskRunFilterChip run={selected} showAll={t('metric.showAll')} onClear={() => onSelect(undefined)} />
      )}
      <DataTable
        label={t('execution.tab.metrics')}
        columns={columns}
        visibility={allColumns}
        rows={data?.results}
        rowId={({ taskRunId, name, timestamp, tags }) =>
          `${taskRunId} ${name} ${timestamp} ${JSON.stringify(tags)}`
        }
        sort={sort}
        onSort={(next) => keep({ sort: next, page: undefined })}
        error={error}
        onRetry={() => void refetch()}
        empty={<EmptyState illustration="stillWater" title={t('metric.none')} text={t('metric.noneText')} />}
      />
      {data && data.total > 0 && (
        <Pager
          page={page}
          size={size}
          total={data.total}
          onPage={(next) => keep({ page: next })}
          onSize={(next) => {
            rememberPageSize(next);
            keep({ size: next, page: undefined });
          }}
        />
      )}
    </>
  );
}

import { isTerminal, type TaskRun } from '@millrace/contract';
import type { TFunction } from 'i18next';
import { type Column, DateAgo, DateTime, Duration, Id, StatePill } from '../../ui/index.ts';
import { ExecutionLink } from '../executions/index.ts';
import { FlowLink } from '../flows/index.ts';

export const taskRunColumns = (t: TFunction): Column<TaskRun>[] => [
  {
    id: 'state',
    header: t('execution.state'),
    cell: ({ state }) => <StatePill state={state.current} />,
    sortField: 'state.current',
    width: 126,
    identifies: true,
  },
  {
    id: 'task',
    header: t('taskRunList.task'),
    cell: ({ taskId, value, executionId, namespace, flowId, id }) => (
      <ExecutionLink id={executionId} namespace={namespace} flowId={flowId} tab="gantt" taskRunId={id}>
        {value === undefined ? taskId : `${taskId} · ${value}`}
      </ExecutionLink>
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
    hideBelow: 'sm',
  },
  {
    id: 'flow',
    header: t('execution.flow'),
    cell: ({ namespace, flowId }) => <FlowLink namespace={namespace} id={flowId} />,
    sortField: 'flowId',
    hideBelow: 'md',
  },
  {
    id: 'namespace',
    header: t('flow.namespace'),
    cell: ({ namespace }) => namespace,
    sortField: 'namespace',
    hideBelow: 'lg',
  },
  {
    id: 'start',
    header: t('execution.start'),
    cell: ({ state }) => <DateAgo value={state.startDate} />,
    sortField: 'state.startDate',
    width: 136,
    hideBelow: 'sm',
  },
  {
    id: 'end',
    header: t('execution.end'),
    cell: ({ state }) => state.endDate && <DateTime value={state.endDate} />,
    sortField: 'state.endDate',
    width: 190,
    optional: true,
  },
  {
    id: 'duration',
    header: t('execution.duration'),
    cell: ({ state }) => (
      <Duration
        from={state.startDate}
        to={isTerminal(state.current) ? (state.endDate ?? state.startDate) : undefined}
      />
    ),
    sortField: 'state.duration',
    width: 108,
    hideBelow: 'md',
  },
  {
    id: 'attempts',
    header: t('taskRunList.attempts'),
    cell: ({ attempts = [] }) => attempts.length || '',
    width: 90,
    align: 'right',
    hideBelow: 'lg',
  },
];

import type { TaskRun } from '@millrace/contract';
import type { TFunction } from 'i18next';
import { type Column, CopiedMark, Id } from '../../ui/index.ts';
import { ExecutionLink, stateColumn, timeColumns } from '../executions/index.ts';
import { FlowLink } from '../flows/index.ts';

export const taskRunColumns = (t: TFunction): Column<TaskRun>[] => [
  stateColumn(t),
  {
    id: 'task',
    header: t('taskRunList.task'),
    cell: ({ taskId, value, executionId, namespace, flowId, id, copied }) => (
      <>
        <ExecutionLink id={executionId} namespace={namespace} flowId={flowId} tab="gantt" taskRunId={id}>
          {value === undefined ? taskId : `${taskId} · ${value}`}
        </ExecutionLink>
        {copied && <CopiedMark />}
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

import type { TriggerWithDefinition } from '@millrace/contract';
import type { TFunction } from 'i18next';
import { type Column, DateAgo, DateTime, dateColumnWidth } from '../../../ui/index.ts';
import { ExecutionLink } from '../../executions/index.ts';
import { FlowLink } from '../../flows/index.ts';
import { BackfillCell } from './BackfillCell.tsx';
import { TriggerActions } from './TriggerActions.tsx';
import { TriggerSwitch } from './TriggerSwitch.tsx';
import styles from './triggers.module.css';

/** Inside a flow's page its name needs no columns. */
export function triggerColumns(t: TFunction, { ofOneFlow = false } = {}): Column<TriggerWithDefinition>[] {
  const columns = allColumns(t);
  return ofOneFlow ? columns.filter(({ id }) => id !== 'flow' && id !== 'namespace') : columns;
}

const allColumns = (t: TFunction): Column<TriggerWithDefinition>[] => [
  {
    id: 'id',
    header: t('trigger.id'),
    cell: ({ triggerContext, abstractTrigger }) => (
      <span className={styles.name} title={abstractTrigger?.type}>
        {triggerContext.triggerId}
      </span>
    ),
    sortField: 'triggerId',
    identifies: true,
  },
  {
    id: 'flow',
    header: t('execution.flow'),
    cell: ({ triggerContext: { namespace, flowId } }) => <FlowLink namespace={namespace} id={flowId} />,
    sortField: 'flowId',
  },
  {
    id: 'namespace',
    header: t('flow.namespace'),
    cell: ({ triggerContext }) => <span className={styles.quiet}>{triggerContext.namespace}</span>,
    sortField: 'namespace',
    hideBelow: 'lg',
  },
  {
    id: 'next',
    header: t('trigger.next'),
    cell: ({ triggerContext: { nextExecutionDate } }) =>
      nextExecutionDate && <DateAgo value={nextExecutionDate} />,
    sortField: 'nextExecutionDate',
    width: 142,
    hideBelow: 'sm',
  },
  {
    id: 'cron',
    header: t('trigger.schedule'),
    cell: ({ abstractTrigger }) => <span className={styles.code}>{scheduleOf(abstractTrigger)}</span>,
    width: 130,
    hideBelow: 'xl',
  },
  {
    id: 'last',
    header: t('trigger.last'),
    cell: ({ triggerContext: { date } }) => date && <DateTime value={date} />,
    width: dateColumnWidth(),
    optional: true,
  },
  {
    id: 'execution',
    header: t('trigger.execution'),
    cell: ({ triggerContext: { executionId, namespace, flowId } }) =>
      executionId && (
        <ExecutionLink id={executionId} namespace={namespace} flowId={flowId}>
          {executionId.slice(0, 8)}
        </ExecutionLink>
      ),
    width: 110,
    hideBelow: 'xl',
  },
  {
    id: 'locked',
    header: t('trigger.lockedSince'),
    cell: ({ triggerContext: { evaluateRunningDate } }) =>
      evaluateRunningDate && <DateTime value={evaluateRunningDate} />,
    width: dateColumnWidth(),
    optional: true,
  },
  {
    id: 'updated',
    header: t('trigger.updated'),
    cell: ({ triggerContext: { updatedDate } }) => updatedDate && <DateAgo value={updatedDate} />,
    sortField: 'updatedDate',
    width: 142,
    optional: true,
  },
  {
    id: 'worker',
    header: t('trigger.worker'),
    cell: ({ triggerContext }) => triggerContext.workerId,
    width: 120,
    optional: true,
  },
  {
    id: 'backfill',
    header: t('trigger.backfill'),
    cell: (trigger) => <BackfillCell trigger={trigger} />,
    width: 128,
    hideBelow: 'md',
  },
  {
    id: 'enabled',
    header: t('trigger.enabled'),
    cell: (trigger) => <TriggerSwitch trigger={trigger} />,
    width: 'clamp(76px, 9cqw, 96px)',
    identifies: true,
  },
  {
    id: 'actions',
    header: t('table.actions'),
    cell: (trigger) => <TriggerActions trigger={trigger} />,
    width: 'clamp(46px, 6cqw, 56px)',
    align: 'right',
    hidesHeader: true,
    identifies: true,
  },
];

/** What a schedule is written as: a cron expression, or how often. */
const scheduleOf = (definition: TriggerWithDefinition['abstractTrigger']): string =>
  [definition?.cron, definition?.interval].find((value): value is string => typeof value === 'string') ?? '';

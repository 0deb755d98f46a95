import { ActionIcon, Menu } from '@mantine/core';
import { type TriggerWithDefinition, triggers } from '@millrace/contract';
import { IconDots, IconLockOpen, IconRotateClockwise, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { type ReactNode, Suspense, useMemo } from 'react';
import { call } from '../../api/call.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import {
  type Column,
  confirm,
  DateAgo,
  DateTime,
  dateColumnWidth,
  ResourceList,
  refreshMs,
  useListView,
  useLive,
} from '../../ui/index.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { ExecutionLink } from '../executions/index.ts';
import { FlowLink } from '../flows/index.ts';
import { ofFlow, useFilterFields } from '../listing/index.ts';
import { BackfillCell, progressInShort } from './BackfillCell.tsx';
import { NextRun, TriggerSwitch } from './cells.tsx';
import { triggersQuery, useTriggerAction } from './queries.ts';
import { TriggerDetails } from './TriggerDetails.tsx';
import styles from './triggers.module.css';

const TriggerBulkActions = lazyPart(() => import('./TriggerBulkActions.tsx'), 'TriggerBulkActions');

interface TriggerListProps {
  /** Names what is remembered of this list in the browser. */
  name: string;
  /** The flow that the page around the list is about. */
  of?: { namespace: string; flowId: string };
  empty: ReactNode;
}

/** Triggers with what they remember: when they fire next, what holds them, their backfills. */
export function TriggerList({ name, of, empty }: TriggerListProps) {
  const { t } = useTranslation();
  const fields = useFilterFields('trigger', {
    prominent: of ? [] : ['namespace'],
    without: of ? ['namespace', 'flowId', 'scope'] : [],
  });
  const view = useListView({ fields, defaultSort: 'triggerId:asc', ...(of && { fixed: ofFlow(of) }) });
  const live = useLive(view);
  const isOfOneFlow = of !== undefined;
  const query = useQuery({
    ...triggersQuery(view.query),
    refetchInterval: live.isOn && refreshMs,
  });
  const columns = useMemo(() => triggerColumns(t, { ofOneFlow: isOfOneFlow }), [t, isOfOneFlow]);
  return (
    <ResourceList
      name={name}
      label={t('nav.triggers')}
      placeholder={t('trigger.search')}
      view={view}
      columns={columns}
      query={query}
      live={live}
      rowId={({ triggerContext: { namespace, flowId, triggerId } }) => `${namespace}.${flowId}.${triggerId}`}
      isDimmed={({ triggerContext }) => triggerContext.disabled}
      details={(trigger) => <TriggerDetails trigger={trigger} />}
      bulkActions={(selection, clear) => (
        <Suspense>
          <TriggerBulkActions selection={selection} filters={view.filters} onDone={clear} />
        </Suspense>
      )}
      empty={empty}
    />
  );
}

/** Inside a flow's page its name needs no columns. */
function triggerColumns(t: TFunction, { ofOneFlow = false } = {}): Column<TriggerWithDefinition>[] {
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
        {triggerContext.backfill && (
          <small className={styles.narrow}>{progressInShort(triggerContext.backfill, t)}</small>
        )}
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
    cell: ({ triggerContext }) => <NextRun trigger={triggerContext} />,
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
    width: 190,
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

/** What can be done to one trigger beyond switching it. Each is asked for first. */
function TriggerActions({ trigger }: { trigger: TriggerWithDefinition }) {
  const { t } = useTranslation();
  const action = useTriggerAction();
  const { namespace, flowId, triggerId, executionId, evaluateRunningDate } = trigger.triggerContext;
  const params = { namespace, flowId, triggerId };
  const isLocked = executionId !== undefined || evaluateRunningDate !== undefined;
  const ask = async (name: 'unlock' | 'restart' | 'delete', act: () => Promise<unknown>) => {
    const agreed = await confirm({
      title: t(`triggerAction.${name}.title`, { id: triggerId }),
      body: t(`triggerAction.${name}.text`),
      confirm: t(`triggerAction.${name}.name`),
      cancel: t('action.cancel'),
      dangerous: name !== 'restart',
    });
    if (agreed) action.mutate({ act, done: t(`triggerAction.${name}.done`, { id: triggerId }) });
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('trigger.more', { id: triggerId })}>
          <IconDots size={16} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconLockOpen size={15} stroke={1.7} />}
          disabled={!isLocked}
          onClick={() => void ask('unlock', () => call(triggers.unlockTrigger, { params }))}
        >
          {t('triggerAction.unlock.name')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconRotateClockwise size={15} stroke={1.7} />}
          onClick={() => void ask('restart', () => call(triggers.restartTrigger, { params }))}
        >
          {t('triggerAction.restart.name')}
        </Menu.Item>
        <Menu.Item
          color="var(--mr-danger)"
          leftSection={<IconTrash size={15} stroke={1.7} />}
          onClick={() => void ask('delete', () => call(triggers.deleteTrigger, { params }))}
        >
          {t('triggerAction.delete.name')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

import { Button } from '@mantine/core';
import { type InstanceQueues, instance } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { call } from '../../api/call.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatNumber } from '../../format/number.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import {
  BrokenPart,
  type Column,
  confirm,
  DataTable,
  DateAgo,
  Fact,
  Facts,
  Loading,
} from '../../ui/index.ts';
import styles from './instance.module.css';
import { queuesQuery, schedulerQuery, useControl } from './queries.ts';
import { Section } from './Section.tsx';

/** Everything that waits: for a slot, a worker, a server, or its date. */
export function WorkTab() {
  return (
    <div className={styles.sections}>
      <Queues />
      <Scheduler />
    </div>
  );
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly waiting: number;
  readonly oldestAt?: string | undefined;
  readonly limit?: number | undefined;
  readonly flow?: { readonly namespace: string; readonly flowId: string };
}

function Queues() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(queuesQuery());
  const columns = useMemo(() => queueColumns(t), [t]);
  return (
    <Section title={t('instance.tab.work')}>
      <DataTable
        label={t('instance.tab.work')}
        columns={columns}
        visibility={{}}
        rows={data && rowsOf(data, t)}
        rowId={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={null}
      />
    </Section>
  );
}

const rowsOf = ({ limits, tasks, commands, flowEvents, alerts }: InstanceQueues, t: TFunction): Row[] => [
  ...limits.map(({ namespace, flowId, ...counts }) => ({
    id: `limit/${namespace}/${flowId}`,
    name: t('instance.queue.limit'),
    flow: { namespace, flowId },
    ...counts,
  })),
  ...tasks.map(({ name, ...counts }) => ({
    id: `tasks/${name}`,
    name: name === 'local' ? t('instance.queue.local') : t('instance.queue.tasks', { name }),
    ...counts,
  })),
  { id: 'commands', name: t('instance.queue.commands'), ...commands },
  { id: 'flowEvents', name: t('instance.queue.flowEvents'), ...flowEvents },
  { id: 'alerts', name: t('instance.queue.alerts'), ...alerts },
];

const queueColumns = (t: TFunction): Column<Row>[] => [
  {
    id: 'name',
    header: t('instance.queue.name'),
    cell: ({ name, flow }) => (
      <span className={styles.stacked}>
        <span>{name}</span>
        {flow && (
          <Link
            to="/{-$tenant}/executions"
            search={{ namespace: flow.namespace, flowId: flow.flowId, state: ['QUEUED'] }}
          >
            {flow.namespace}.{flow.flowId}
          </Link>
        )}
      </span>
    ),
    identifies: true,
  },
  {
    id: 'waiting',
    header: t('instance.queue.waiting'),
    cell: ({ waiting }) => formatNumber(waiting),
    width: 110,
    align: 'right',
  },
  {
    id: 'limit',
    header: t('instance.queue.slots'),
    cell: ({ limit }) => (limit === undefined ? '–' : formatNumber(limit)),
    width: 110,
    align: 'right',
    hideBelow: 'md',
  },
  {
    id: 'oldest',
    header: t('instance.queue.oldest'),
    cell: ({ oldestAt, waiting }) =>
      oldestAt === undefined || waiting === 0 ? '–' : <DateAgo value={oldestAt} />,
    width: 160,
    hideBelow: 'sm',
  },
];

function Scheduler() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(schedulerQuery());
  const isPaused = data?.paused !== undefined;
  const act = useControl(() => call(isPaused ? instance.resumeScheduler : instance.pauseScheduler, {}));
  const ask = async () => {
    const agreed = await confirm({
      title: t(isPaused ? 'instance.scheduler.resumeTitle' : 'instance.scheduler.pauseTitle'),
      body: t(isPaused ? 'instance.scheduler.resumeText' : 'instance.scheduler.pauseText'),
      confirm: t(isPaused ? 'instance.scheduler.resume' : 'instance.scheduler.pause'),
      cancel: t('action.cancel'),
    });
    if (agreed) act.mutate(undefined);
  };
  return (
    <Section
      title={t('instance.scheduler.title')}
      action={
        data && (
          <Button variant="default" loading={act.isPending} onClick={() => void ask()}>
            {t(isPaused ? 'instance.scheduler.resume' : 'instance.scheduler.pause')}
          </Button>
        )
      }
    >
      {!data && (error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />)}
      {data && (
        <Facts>
          <Fact name={t('instance.status')}>
            <span className={styles.state} data-state={isPaused ? 'DRAINING' : 'RUNNING'}>
              {t(isPaused ? 'instance.scheduler.paused' : 'instance.state.RUNNING')}
            </span>
            {data.paused && (
              <>
                {' '}
                <DateAgo value={data.paused.at} /> {data.paused.by}
              </>
            )}
          </Fact>
          <Fact name={t('instance.scheduler.overdue')}>{formatNumber(data.overdue)}</Fact>
          <Fact name={t('instance.scheduler.lateness')}>
            {data.overdue === 0 ? '–' : formatDuration(data.latenessMs)}
          </Fact>
          <Fact name={t('instance.scheduler.next')}>
            {isPaused && <p className={styles.hint}>{t('instance.scheduler.pausedNext')}</p>}
            {data.next.length === 0 ? (
              t('instance.scheduler.noNext')
            ) : (
              <ul className={styles.list}>
                {data.next.map(({ namespace, flowId, triggerId, nextAt }) => (
                  <li key={`${namespace}/${flowId}/${triggerId}`}>
                    <Link
                      to="/{-$tenant}/flows/edit/$namespace/$id/{-$tab}"
                      params={{ namespace, id: flowId, tab: 'triggers' }}
                      search={{}}
                    >
                      {namespace}.{flowId} · {triggerId}
                    </Link>
                    <DateAgo value={nextAt} />
                  </li>
                ))}
              </ul>
            )}
          </Fact>
        </Facts>
      )}
    </Section>
  );
}

import { Button } from '@mantine/core';
import { type InstanceServer, instance, type RunningTask } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { call } from '../../api/call.ts';
import { formatNumber } from '../../format/number.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { type Column, confirm, DataTable, DateAgo, Duration, Id } from '../../ui/index.ts';
import { ExecutionLink } from '../executions/index.ts';
import styles from './instance.module.css';
import { serversQuery, useControl } from './queries.ts';
import { Section } from './Section.tsx';

/** Servers with their workers, and the tasks that run longest. */
export function ServersTab() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(serversQuery());
  const columns = useMemo(() => serverColumns(t), [t]);
  const taskColumns = useMemo(() => runningColumns(t), [t]);
  const tasks = data?.results
    .flatMap((server) => (workerOf(server)?.tasks ?? []).map((task) => ({ ...task, server })))
    .sort((a, b) => a.startedAt.localeCompare(b.startedAt));
  return (
    <div className={styles.sections}>
      <Section title={t('instance.tab.servers')}>
        <DataTable
          label={t('instance.tab.servers')}
          columns={columns}
          visibility={{}}
          rows={data?.results}
          rowId={({ id }) => id}
          error={error}
          onRetry={() => void refetch()}
          empty={null}
        />
      </Section>
      <Section title={t('instance.tasks')}>
        <DataTable
          label={t('instance.tasks')}
          columns={taskColumns}
          visibility={{}}
          rows={tasks}
          rowId={({ taskRunId, attempt }) => `${taskRunId}/${attempt}`}
          error={null}
          onRetry={() => void refetch()}
          empty={<p className={styles.nothing}>{t('instance.noTasks')}</p>}
        />
      </Section>
    </div>
  );
}

/** What a lost server reported last is no longer true: its tasks run on another server or are retried. */
const workerOf = ({ state, worker }: InstanceServer) => (state === 'LOST' ? undefined : worker);

const serverColumns = (t: TFunction): Column<InstanceServer>[] => [
  {
    id: 'id',
    header: t('instance.server'),
    cell: (server) => (
      <span className={styles.stacked}>
        <Id value={server.id} />
        <small>
          {[
            server.isSelf ? t('instance.thisServer') : undefined,
            server.host,
            server.pid === undefined ? undefined : `PID ${server.pid}`,
          ]
            .filter((part) => part !== undefined)
            .join(' · ')}
        </small>
      </span>
    ),
    identifies: true,
  },
  {
    id: 'state',
    header: t('instance.status'),
    cell: (server) => (
      <span className={styles.state} data-state={server.state}>
        {t(`instance.state.${server.state}`)}
      </span>
    ),
    width: 110,
  },
  {
    id: 'roles',
    header: t('instance.roles'),
    cell: ({ roles, workerGroup }) => (
      <span className={styles.stacked}>
        <span>{roles.join(', ') || '–'}</span>
        {workerGroup && <small>{t('instance.inGroup', { group: workerGroup })}</small>}
      </span>
    ),
    width: 228,
    hideBelow: 'lg',
  },
  {
    id: 'version',
    header: t('instance.version'),
    cell: ({ version }) => version ?? '–',
    width: 80,
    hideBelow: 'lg',
  },
  {
    id: 'started',
    header: t('instance.started'),
    cell: ({ startedAt }) => <DateAgo value={startedAt} />,
    width: 125,
    hideBelow: 'lg',
  },
  {
    id: 'heartbeat',
    header: t('instance.heartbeat'),
    cell: ({ heartbeatAt }) => <DateAgo value={heartbeatAt} />,
    width: 125,
    hideBelow: 'md',
  },
  {
    id: 'tasks',
    header: t('instance.load'),
    cell: (server) => {
      const worker = workerOf(server);
      return worker ? (
        <span className={styles.stacked}>
          <span>
            {t('instance.slots', {
              running: formatNumber(worker.running),
              slots: formatNumber(worker.slots),
            })}
          </span>
          {worker.waiting > 0 && <small>{t('instance.waiting', { count: worker.waiting })}</small>}
        </span>
      ) : (
        '–'
      );
    },
    width: 125,
    hideBelow: 'md',
  },
  { id: 'action', header: '', cell: (server) => <DrainButton server={server} />, width: 116, align: 'right' },
];

function DrainButton({ server }: { server: InstanceServer }) {
  const { t } = useTranslation();
  const { id, state, worker } = server;
  const isDraining = state === 'DRAINING';
  const act = useControl(() =>
    call(isDraining ? instance.resumeWorker : instance.drainWorker, { params: { id } }),
  );
  if (!worker || state === 'LOST') return null;
  const ask = async () => {
    const agreed = await confirm({
      title: t(isDraining ? 'instance.resumeTitle' : 'instance.drainTitle'),
      body: isDraining ? t('instance.resumeText') : t('instance.drainText', { count: worker.running }),
      confirm: t(isDraining ? 'instance.resume' : 'instance.drain'),
      cancel: t('action.cancel'),
    });
    if (agreed) act.mutate(undefined);
  };
  return (
    <Button size="compact-sm" variant="default" loading={act.isPending} onClick={() => void ask()}>
      {t(isDraining ? 'instance.resume' : 'instance.drain')}
    </Button>
  );
}

type TaskRow = RunningTask & { readonly server: InstanceServer };

const runningColumns = (t: TFunction): Column<TaskRow>[] => [
  {
    id: 'task',
    header: t('instance.task'),
    cell: ({ taskId, type }) => (
      <span className={styles.stacked}>
        <span>{taskId}</span>
        <small>{type}</small>
      </span>
    ),
    identifies: true,
  },
  {
    id: 'execution',
    header: t('instance.execution'),
    cell: ({ executionId, namespace, flowId }) =>
      namespace !== undefined && flowId !== undefined ? (
        <span className={styles.stacked}>
          <ExecutionLink id={executionId} namespace={namespace} flowId={flowId} />
          <small>
            {namespace}.{flowId}
          </small>
        </span>
      ) : (
        <Id value={executionId} />
      ),
  },
  {
    id: 'server',
    header: t('instance.worker'),
    cell: ({ server }) => <Id value={server.id} />,
    width: 180,
    hideBelow: 'md',
  },
  {
    id: 'duration',
    header: t('instance.duration'),
    cell: ({ startedAt }) => <Duration from={startedAt} />,
    width: 110,
    align: 'right',
  },
];

import { Select } from '@mantine/core';
import { type InstanceAction, instance, type ReplyOf } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { call } from '../../api/call.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatNumber } from '../../format/number.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { type Column, DataTable, DateAgo } from '../../ui/index.ts';
import styles from './instance.module.css';
import { actionsQuery, logLevelQuery, slowQueriesQuery, useControl } from './queries.ts';
import { Section } from './Section.tsx';

/** The log level, the actions of operators and the slowest statements. */
export function DiagnosticsTab() {
  return (
    <div className={styles.sections}>
      <LogLevel />
      <Actions />
      <SlowQueries />
    </div>
  );
}

const levels = ['debug', 'info', 'warn', 'error'] as const;
const configured = 'configured';

function LogLevel() {
  const { t } = useTranslation();
  const { data } = useQuery(logLevelQuery());
  const change = useControl((level: (typeof levels)[number] | null) =>
    call(instance.changeLogLevel, { body: { level } }),
  );
  return (
    <Section
      title={t('instance.logLevel.title')}
      text={t('instance.logLevel.text')}
      action={
        <Select
          aria-label={t('instance.logLevel.title')}
          disabled={!data || change.isPending}
          allowDeselect={false}
          value={data?.level ?? configured}
          onChange={(value) => change.mutate(levels.find((level) => level === value) ?? null)}
          data={[
            {
              value: configured,
              label: t('instance.logLevel.configured', { level: (data?.configured ?? '').toUpperCase() }),
            },
            ...levels.map((level) => ({ value: level, label: level.toUpperCase() })),
          ]}
        />
      }
    >
      {null}
    </Section>
  );
}

function Actions() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(actionsQuery());
  const columns = useMemo(() => actionColumns(t), [t]);
  return (
    <Section title={t('instance.actions.title')}>
      <DataTable
        label={t('instance.actions.title')}
        columns={columns}
        visibility={{}}
        rows={data?.results}
        rowId={({ at, action }) => `${at}/${action}`}
        error={error}
        onRetry={() => void refetch()}
        empty={<p className={styles.nothing}>{t('instance.actions.none')}</p>}
      />
    </Section>
  );
}

const actionColumns = (t: TFunction): Column<InstanceAction>[] => [
  {
    id: 'action',
    header: t('instance.actions.action'),
    cell: ({ action, detail }) => (
      <span className={styles.stacked}>
        <span>{t(`instance.actions.${action.replace('.', '_')}` as 'instance.actions.worker_drain')}</span>
        {detail !== undefined && <small title={detail}>{detail}</small>}
      </span>
    ),
    identifies: true,
  },
  {
    id: 'by',
    header: t('instance.actions.by'),
    cell: ({ by }) => by ?? t('instance.actions.anonymous'),
    width: 180,
    hideBelow: 'md',
  },
  { id: 'at', header: t('instance.actions.date'), cell: ({ at }) => <DateAgo value={at} />, width: 140 },
];

type SlowQuery = ReplyOf<typeof instance.listSlowQueries>['results'][number];

function SlowQueries() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(slowQueriesQuery());
  const hasSeveral = new Set(data?.results.map(({ server }) => server)).size > 1;
  const columns = useMemo(() => slowColumns(t, hasSeveral), [t, hasSeveral]);
  return (
    <Section title={t('instance.slow.title')} text={t('instance.slow.text')}>
      <DataTable
        label={t('instance.slow.title')}
        columns={columns}
        visibility={{}}
        rows={data?.results}
        rowId={({ server, statement }) => `${server} ${statement}`}
        error={error}
        onRetry={() => void refetch()}
        empty={<p className={styles.nothing}>{t('instance.slow.none')}</p>}
      />
    </Section>
  );
}

const ms = (value: number): string => formatDuration(Math.round(value));

const slowColumns = (t: TFunction, hasSeveral: boolean): Column<SlowQuery>[] => [
  {
    id: 'statement',
    header: t('instance.slow.statement'),
    cell: ({ statement }) => (
      <code className={styles.statement} title={statement}>
        {statement.replace(/\s+/g, ' ')}
      </code>
    ),
    identifies: true,
  },
  ...(hasSeveral
    ? [
        {
          id: 'server',
          header: t('instance.server'),
          cell: ({ server, host }: SlowQuery) => (
            <span className={styles.stacked}>
              <span title={server}>{host}</span>
              <small>{server.slice(0, 8)}</small>
            </span>
          ),
          width: 140,
        },
      ]
    : []),
  {
    id: 'max',
    header: t('instance.slow.longest'),
    cell: ({ maxMs }) => ms(maxMs),
    width: 100,
    align: 'right',
  },
  {
    id: 'average',
    header: t('instance.slow.average'),
    cell: ({ averageMs }) => ms(averageMs),
    width: 100,
    align: 'right',
    hideBelow: 'md',
  },
  {
    id: 'count',
    header: t('instance.slow.count'),
    cell: ({ count }) => formatNumber(count),
    width: 90,
    align: 'right',
    hideBelow: 'sm',
  },
  {
    id: 'last',
    header: t('instance.slow.last'),
    cell: ({ lastAt }) => <DateAgo value={lastAt} />,
    width: 140,
    hideBelow: 'md',
  },
];

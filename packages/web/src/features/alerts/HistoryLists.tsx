import { Button, SegmentedControl } from '@mantine/core';
import type { AlertDelivery, AlertIncident } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { formatNumber } from '../../format/number.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { type Column, DataTable, DateAgo, EmptyState } from '../../ui/index.ts';
import { ExecutionLink } from '../executions/index.ts';
import styles from './alerts.module.css';
import { deliveriesQuery, type historyQuery, incidentsQuery } from './queries.ts';

const pageSize = 25;

export function IncidentList() {
  const { t } = useTranslation();
  return (
    <History
      states={[
        { value: 'OPEN', label: t('alerts.open') },
        { value: 'RECOVERED', label: t('alerts.ended') },
      ]}
      query={incidentsQuery}
      label={t('alerts.tab.incidents')}
      columns={incidentColumns(t)}
      empty={{ title: t('alerts.noIncidents'), text: t('alerts.noIncidentsText') }}
    />
  );
}

const incidentColumns = (t: TFunction): Column<AlertIncident>[] => [
  {
    id: 'title',
    header: t('alerts.incident'),
    cell: (incident) => (
      <span className={styles.stacked}>
        <Subject incident={incident} />
        {incident.message && <small title={incident.message}>{incident.message.split('\n', 1)[0]}</small>}
      </span>
    ),
    identifies: true,
  },
  { id: 'rule', header: t('alerts.rule'), cell: ({ ruleId }) => ruleId, width: 160, hideBelow: 'md' },
  {
    id: 'count',
    header: t('alerts.events'),
    cell: ({ count }) => formatNumber(count),
    width: 90,
    align: 'right',
    hideBelow: 'md',
  },
  {
    id: 'opened',
    header: t('alerts.since'),
    cell: ({ openedAt }) => <DateAgo value={openedAt} />,
    width: 130,
    hideBelow: 'sm',
  },
  {
    id: 'last',
    header: t('alerts.last'),
    cell: ({ lastAt, recoveredAt }) => <DateAgo value={recoveredAt ?? lastAt} />,
    width: 130,
    hideBelow: 'md',
  },
];

function Subject({ incident: { title, namespace, flowId, executionId } }: { incident: AlertIncident }) {
  if (!namespace || !flowId || !executionId) return title;
  return (
    <ExecutionLink namespace={namespace} flowId={flowId} id={executionId}>
      {title}
    </ExecutionLink>
  );
}

export function DeliveryList() {
  const { t } = useTranslation();
  return (
    <History
      states={[
        { value: 'DONE', label: t('alerts.sent') },
        { value: 'PENDING', label: t('alerts.waiting') },
      ]}
      query={deliveriesQuery}
      label={t('alerts.tab.messages')}
      columns={deliveryColumns(t)}
      empty={{ title: t('alerts.noMessages'), text: t('alerts.noMessagesText') }}
    />
  );
}

const deliveryColumns = (t: TFunction): Column<AlertDelivery>[] => [
  {
    id: 'title',
    header: t('alerts.message'),
    cell: ({ title, lastError }) => (
      <span className={styles.stacked}>
        <span>{title}</span>
        {lastError && <small title={lastError}>{lastError}</small>}
      </span>
    ),
    identifies: true,
  },
  {
    id: 'kind',
    header: t('alerts.kind'),
    cell: ({ kind }) => t(`alerts.kinds.${kind}`),
    width: 120,
    hideBelow: 'md',
  },
  {
    id: 'channel',
    header: t('alerts.channel'),
    cell: ({ channelId }) => channelId,
    width: 160,
    hideBelow: 'sm',
  },
  {
    id: 'state',
    header: t('alerts.status'),
    cell: ({ state, attempts }) => (
      <span className={state === 'FAILED' ? styles.failing : undefined}>
        {t(`alerts.states.${state}`)}
        {attempts > 1 && ` · ${t('alerts.attempts', { count: attempts })}`}
      </span>
    ),
    width: 170,
  },
  {
    id: 'at',
    header: t('alerts.last'),
    cell: ({ sentAt, dueAt, createdAt }) => <DateAgo value={sentAt ?? dueAt ?? createdAt} />,
    width: 130,
    hideBelow: 'sm',
  },
];

interface HistoryProps<Row, State extends string> {
  /** The first is shown first. */
  states: readonly [StateOption<State>, ...StateOption<State>[]];
  query: (state: State, size: number) => ReturnType<typeof historyQuery<Row>>;
  label: string;
  columns: Column<Row>[];
  empty: { title: string; text: string };
}

interface StateOption<State> {
  value: State;
  label: string;
}

/** The rows of one state, the newest first. */
function History<Row extends { id: string }, State extends string>(props: HistoryProps<Row, State>) {
  const { states, query, label, columns, empty } = props;
  const { t } = useTranslation();
  const [state, setState] = useState(states[0].value);
  const [size, setSize] = useState(pageSize);
  const { data, error, refetch } = useQuery(query(state, size));
  return (
    <div className={styles.history}>
      <div>
        <SegmentedControl
          aria-label={t('alerts.status')}
          value={state}
          onChange={setState}
          data={[...states]}
        />
      </div>
      <DataTable
        label={label}
        columns={columns}
        visibility={{}}
        rows={data?.results}
        rowId={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={<EmptyState illustration="stillWater" {...empty} />}
      />
      {data?.hasMore && (
        <Button variant="default" onClick={() => setSize(size + pageSize)} className={styles.more}>
          {t('alerts.more')}
        </Button>
      )}
    </div>
  );
}

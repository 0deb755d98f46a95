import { Button } from '@mantine/core';
import type { AlertChannel, AlertChannelView } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { Suspense, useMemo, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { type Column, DataTable, DateAgo, EmptyState } from '../../ui/index.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';
import styles from './alerts.module.css';
import { TestButton } from './buttons.tsx';
import { channelsQuery } from './queries.ts';

const ChannelForm = lazyPart(() => import('./ChannelForm.tsx'), 'ChannelForm');

export function ChannelList({ onCreate }: { onCreate: () => void }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(channelsQuery());
  const [edited, edit] = useState<AlertChannel>();
  const columns = useMemo(() => channelColumns(t, edit), [t]);
  return (
    <>
      <DataTable
        label={t('alerts.tab.channels')}
        columns={columns}
        visibility={{}}
        rows={data?.results}
        rowId={({ channel }) => channel.id}
        onOpen={({ channel }) => edit(channel)}
        error={error}
        onRetry={() => void refetch()}
        skeletonRows={4}
        empty={
          <EmptyState
            illustration="wheel"
            title={t('alerts.noChannels')}
            text={t('alerts.noChannelsText')}
            action={<Button onClick={onCreate}>{t('alerts.newChannel')}</Button>}
          />
        }
      />
      {edited && (
        <Suspense>
          <ChannelForm channel={edited} onClose={() => edit(undefined)} />
        </Suspense>
      )}
    </>
  );
}

const channelColumns = (t: TFunction, edit: (channel: AlertChannel) => void): Column<AlertChannelView>[] => [
  {
    id: 'id',
    header: t('alerts.channel'),
    cell: ({ channel }) => (
      <span className={styles.stacked}>
        <button type="button" className={styles.name} onClick={() => edit(channel)}>
          {channel.id}
        </button>
        {channel.description && <small>{channel.description}</small>}
      </span>
    ),
    identifies: true,
  },
  {
    id: 'type',
    header: t('alerts.type'),
    cell: ({ channel }) => t(`alerts.types.${channel.type}`),
    width: 180,
    hideBelow: 'sm',
  },
  { id: 'status', header: t('alerts.status'), cell: (view) => <Status view={view} />, width: '40%' },
  {
    id: 'test',
    header: t('alerts.test'),
    cell: ({ channel }) => <TestButton channelId={channel.id} />,
    width: 'clamp(120px, 12cqw, 170px)',
    align: 'right',
    identifies: true,
    hidesHeader: true,
  },
];

function Status({ view: { failing, lastSentAt } }: { view: AlertChannelView }) {
  const { t } = useTranslation();
  if (failing)
    return (
      <span className={styles.stacked}>
        <span className={styles.failing}>
          {t('alerts.failing')} <DateAgo value={failing.since} />
        </span>
        <small title={failing.error}>{failing.error}</small>
      </span>
    );
  if (!lastSentAt) return <span className={styles.quiet}>{t('alerts.unused')}</span>;
  return (
    <span>
      {t('alerts.lastSent')} <DateAgo value={lastSentAt} />
    </span>
  );
}

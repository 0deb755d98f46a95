import { ActionIcon } from '@mantine/core';
import type { KvEntry } from '@millrace/contract';
import { IconEdit } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { Hint } from '../../../ui/Hint.tsx';
import { type Column, CopyButton, DateAgo, DateTime, dateColumnWidth } from '../../../ui/index.ts';
import styles from './kv.module.css';

export const kvColumns = (
  t: TFunction,
  { onEdit }: { onEdit: (entry: KvEntry) => void },
): Column<KvEntry>[] => [
  {
    id: 'key',
    header: t('kv.key'),
    cell: (entry) => (
      <button type="button" className={styles.key} onClick={() => onEdit(entry)}>
        {entry.key}
      </button>
    ),
    sortField: 'key',
    identifies: true,
  },
  {
    id: 'namespace',
    header: t('flow.namespace'),
    cell: ({ namespace }) => <span className={styles.quiet}>{namespace}</span>,
    sortField: 'namespace',
    width: 'clamp(110px, 20cqw, 320px)',
  },
  {
    id: 'description',
    header: t('flow.description'),
    cell: ({ description }) => <span className={styles.quiet}>{description}</span>,
    hideBelow: 'lg',
  },
  {
    id: 'updated',
    header: t('kv.updated'),
    cell: ({ updateDate }) => <DateAgo value={updateDate} />,
    sortField: 'updateDate',
    width: 142,
    hideBelow: 'md',
  },
  {
    id: 'created',
    header: t('kv.created'),
    cell: ({ creationDate }) => <DateTime value={creationDate} />,
    sortField: 'creationDate',
    width: dateColumnWidth(),
    optional: true,
  },
  {
    id: 'expires',
    header: t('kv.expires'),
    cell: ({ expirationDate }) =>
      expirationDate ? (
        <DateAgo value={expirationDate} />
      ) : (
        <span className={styles.quiet}>{t('kv.never')}</span>
      ),
    sortField: 'expirationDate',
    width: 142,
    hideBelow: 'md',
  },
  {
    id: 'actions',
    header: t('table.actions'),
    cell: (entry) => (
      <span className={styles.actions}>
        <CopyButton value={`{{ kv('${entry.key}') }}`} />
        <Hint label={t('kv.edit', { key: entry.key })}>
          <ActionIcon aria-label={t('kv.edit', { key: entry.key })} onClick={() => onEdit(entry)}>
            <IconEdit size={16} stroke={1.7} />
          </ActionIcon>
        </Hint>
      </span>
    ),
    width: 90,
    align: 'right',
    hidesHeader: true,
    identifies: true,
  },
];

import type { Flow } from '@millrace/contract';
import { IconBolt } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type Column, Tags } from '../../../ui/index.ts';
import { FlowLink } from './FlowLink.tsx';
import { FlowRowActions } from './FlowRowActions.tsx';
import styles from './flowColumns.module.css';

export const flowColumns = (t: TFunction): Column<Flow>[] => [
  {
    id: 'id',
    header: t('flow.id'),
    cell: ({ namespace, id, disabled }) => (
      <span className={styles.name}>
        <FlowLink namespace={namespace} id={id} className={styles.id} />
        {disabled && <span className={styles.disabled}>{t('flow.disabled')}</span>}
      </span>
    ),
    sortField: 'id',
    width: '24%',
    identifies: true,
  },
  {
    id: 'namespace',
    header: t('flow.namespace'),
    cell: ({ namespace }) => (
      <Link to="/{-$tenant}/flows" search={{ namespace }} className={styles.quiet}>
        {namespace}
      </Link>
    ),
    sortField: 'namespace',
    width: '18%',
  },
  {
    id: 'labels',
    header: t('flow.labels'),
    cell: ({ labels = [] }) => <Tags items={labels} max={2} />,
    width: 226,
    hideBelow: 'lg',
  },
  {
    id: 'description',
    header: t('flow.description'),
    cell: ({ description }) => (
      <span className={styles.description} title={description}>
        {description}
      </span>
    ),
    hideBelow: 'md',
  },
  {
    id: 'triggers',
    header: t('flow.triggers'),
    cell: ({ triggers = [] }) =>
      triggers.length > 0 && (
        <span className={styles.triggers} title={triggers.map((trigger) => trigger.id).join(', ')}>
          <IconBolt size={14} stroke={1.7} aria-hidden="true" />
          {triggers.length}
        </span>
      ),
    width: 84,
    hideBelow: 'lg',
  },
  {
    id: 'revision',
    header: t('flow.revision'),
    cell: ({ revision }) => revision,
    width: 90,
    align: 'right',
    optional: true,
  },
  {
    id: 'actions',
    header: t('table.actions'),
    cell: (flow) => <FlowRowActions flow={flow} />,
    width: 84,
    align: 'right',
    hidesHeader: true,
    identifies: true,
  },
];

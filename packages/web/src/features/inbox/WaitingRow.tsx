import type { InboxItem } from '@millrace/contract';
import {
  IconCalendarX,
  IconClockExclamation,
  IconHourglass,
  IconKey,
  IconLock,
  IconPlayerPause,
  IconStack2,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatDateTime, useDateSettings } from '../../format/date.ts';
import { formatDuration } from '../../format/duration.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { DateAgo, DateTime, LinkButton } from '../../ui/index.ts';
import { plainText } from '../../ui/markdown/plainText.ts';
import { ExecutionLink } from '../executions/index.ts';
import { FlowLink } from '../flows/index.ts';
import styles from './inbox.module.css';
import { isHidden, RowActions } from './RowActions.tsx';

const icons = {
  approval: IconPlayerPause,
  late: IconClockExclamation,
  missed: IconCalendarX,
  long: IconHourglass,
  queue: IconStack2,
  token: IconKey,
  secret: IconLock,
} as const;

/** A pause to decide on, a late schedule, a slow execution, a queue, or a token or secret that expires. */
export function WaitingRow({ item }: { item: InboxItem }) {
  const { at, mark } = item;
  const Icon = icons[item.kind];
  return (
    <li className={styles.row} data-row data-dimmed={isHidden(mark, at) || undefined} tabIndex={-1}>
      <div className={styles.what}>
        <p className={styles.title}>
          <Icon size={16} stroke={1.7} aria-hidden="true" />
          {'flowId' in item ? (
            <>
              <FlowLink namespace={item.namespace} id={item.flowId} />
              <span className={styles.namespace}>{item.namespace}</span>
            </>
          ) : (
            <code>{item.name}</code>
          )}
        </p>
        <p className={styles.text}>
          <Details item={item} />
        </p>
        {mark?.note && <p className={styles.note}>{mark.note}</p>}
      </div>
      <div className={styles.facts}>
        <span className={styles.times}>
          <DateAgo value={'expiresAt' in item ? item.expiresAt : at} />
        </span>
      </div>
      <div className={styles.buttons}>
        <Way item={item} />
        <RowActions
          itemKey={item.key}
          name={'flowId' in item ? item.flowId : item.name}
          at={at}
          mark={mark}
        />
      </div>
    </li>
  );
}

function Details({ item }: { item: InboxItem }): ReactNode {
  const { t, i18n } = useTranslation();
  useDateSettings();
  switch (item.kind) {
    case 'approval': {
      const asks = item.inputs.length > 0 ? t('inbox.asks', { inputs: item.inputs.join(', ') }) : '';
      const question = item.description && plainText(item.description);
      return [question || t('inbox.paused', { taskId: item.taskId }), asks].filter(Boolean).join(' ');
    }
    case 'late':
      return t('inbox.late', { triggerId: item.triggerId });
    case 'missed':
      return (
        <>
          {t('inbox.missed', { triggerId: item.triggerId })} <DateTime value={item.firstAt} />
        </>
      );
    case 'long':
      return (
        <>
          <ExecutionLink namespace={item.namespace} flowId={item.flowId} id={item.executionId}>
            <code>{item.executionId.slice(0, 8)}</code>
          </ExecutionLink>{' '}
          {t('inbox.long', { usual: formatDuration(item.usualMs) })}
        </>
      );
    case 'queue':
      return t('inbox.queued', { count: item.count });
    case 'token':
    case 'secret':
      return t(Date.parse(item.expiresAt) <= Date.now() ? 'inbox.expired' : 'inbox.expires', {
        date: formatDateTime(item.expiresAt, i18n.language),
      });
  }
}

/** The page on which the item can be dealt with. */
function Way({ item }: { item: InboxItem }) {
  const { t } = useTranslation();
  const look = { variant: item.kind === 'approval' ? 'filled' : 'default', size: 'compact-sm' } as const;
  if (item.kind === 'token')
    return (
      <LinkButton to="/{-$tenant}/settings" search={{}} {...look}>
        {t('nav.settings')}
      </LinkButton>
    );
  if (item.kind === 'secret')
    return (
      <LinkButton to="/{-$tenant}/secrets" search={{}} {...look}>
        {t('nav.secrets')}
      </LinkButton>
    );
  const { namespace, flowId } = item;
  if (item.kind === 'approval' || item.kind === 'long')
    return (
      <LinkButton
        to="/{-$tenant}/executions/$namespace/$flowId/$id/{-$tab}"
        params={{ namespace, flowId, id: item.executionId, tab: undefined }}
        search={{}}
        {...look}
      >
        {t(item.kind === 'approval' ? 'inbox.decide' : 'inbox.openExecution')}
      </LinkButton>
    );
  if (item.kind === 'late' || item.kind === 'missed')
    return (
      <LinkButton
        to="/{-$tenant}/admin/triggers"
        search={{ namespace, flowId, triggerId: item.triggerId }}
        {...look}
      >
        {t('nav.triggers')}
      </LinkButton>
    );
  return (
    <LinkButton to="/{-$tenant}/executions" search={{ namespace, flowId, state: ['QUEUED'] }} {...look}>
      {t('nav.executions')}
    </LinkButton>
  );
}

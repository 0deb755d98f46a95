import { logs, type Trigger } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { currentTenant } from '../../../api/tenant.ts';
import { DateTime, Loading } from '../../../ui/index.ts';
import styles from './triggers.module.css';

const shown = 25;

/** The last lines that a trigger wrote while it was evaluated. */
export function TriggerLogs({ trigger }: { trigger: Trigger }) {
  const { t } = useTranslation();
  const { namespace, flowId, triggerId } = trigger;
  const { data } = useQuery({
    queryKey: ['logs', currentTenant(), 'trigger', namespace, flowId, triggerId],
    queryFn: ({ signal }) =>
      call(logs.searchLogs, {
        query: { namespace, flowId, triggerId, size: shown, sort: 'timestamp:desc' },
        signal,
        failures: 'handled',
      }),
  });
  if (!data) return <Loading />;
  if (data.results.length === 0) return <p className={styles.none}>{t('trigger.noLogs')}</p>;
  return (
    <ul className={styles.logs} aria-label={t('trigger.logs', { id: triggerId })}>
      {data.results.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: log entries have no identity besides their place.
        <li key={index}>
          <DateTime value={entry.timestamp} />
          <span>{entry.level}</span>
          <span>{entry.message}</span>
        </li>
      ))}
    </ul>
  );
}

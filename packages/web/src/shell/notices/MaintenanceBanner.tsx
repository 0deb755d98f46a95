import { instance } from '@millrace/contract';
import { IconTool } from '@tabler/icons-react';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { DateAgo } from '../../ui/values/DateTime.tsx';
import { configurationQuery } from '../configuration.ts';
import styles from './MaintenanceBanner.module.css';

/** Tells every user why nothing starts, and who can tell more. */
export function MaintenanceBanner() {
  const { t } = useTranslation();
  const { isActive, message, by, startedAt, allowManual, areTasksHeld, schedulerPause } = useMaintenance();
  if (!isActive && !schedulerPause) return null;
  const actor = isActive ? by : schedulerPause?.by;
  const since = isActive ? startedAt : schedulerPause?.at;
  return (
    <div className={styles.banner} role="status">
      <IconTool size={16} stroke={1.8} aria-hidden="true" />
      <span className={styles.text}>
        <strong>{t(`instance.maintenance.${isActive ? 'banner' : 'schedulerPaused'}`)}</strong>{' '}
        {message && <span className={styles.message}>{message}</span>}{' '}
        {isActive
          ? t(`instance.maintenance.${allowManual ? 'onlyManual' : areTasksHeld ? 'held' : 'nothing'}`)
          : t('instance.scheduler.pauseText')}
      </span>
      <span className={styles.origin}>
        {actor !== undefined && <span>{t('instance.maintenance.by', { name: actor })}</span>}{' '}
        {since !== undefined && <DateAgo value={since} />}
      </span>
    </div>
  );
}

const everyMs = 20_000;
export const maintenanceKey = ['maintenance'];

export const maintenanceQuery = () =>
  queryOptions({
    queryKey: maintenanceKey,
    queryFn: ({ signal }) => call(instance.getMaintenance, { signal, failures: 'handled' }),
    staleTime: everyMs,
    refetchInterval: everyMs,
  });

/** The configuration brings the first answer, so that no page waits for another request. */
function useMaintenance() {
  const { data: configuration } = useSuspenseQuery(configurationQuery);
  return useSuspenseQuery({
    ...maintenanceQuery(),
    initialData: configuration.maintenance ?? { isActive: false },
  }).data;
}

import { IconTool } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { DateAgo } from '../../ui/DateTime.tsx';
import styles from './MaintenanceBanner.module.css';
import { useMaintenance } from './maintenanceQuery.ts';

/** Tells every user why nothing starts, and who can tell more. */
export function MaintenanceBanner() {
  const { t } = useTranslation();
  const { isActive, message, by, startedAt, allowManual, areTasksHeld } = useMaintenance();
  if (!isActive) return null;
  return (
    <div className={styles.banner} role="status">
      <IconTool size={16} stroke={1.8} aria-hidden="true" />
      <span className={styles.text}>
        <strong>{t('instance.maintenance.banner')}</strong>{' '}
        {message ||
          t(`instance.maintenance.${allowManual ? 'onlyManual' : areTasksHeld ? 'held' : 'nothing'}`)}
      </span>
      <span className={styles.origin}>
        {by !== undefined && <span>{t('instance.maintenance.by', { name: by })}</span>}{' '}
        {startedAt !== undefined && <DateAgo value={startedAt} />}
      </span>
    </div>
  );
}

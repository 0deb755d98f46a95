import { useQuery } from '@tanstack/react-query';
import { formatNumber } from '../../format/number.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import styles from './inbox.module.css';
import { inboxCountQuery } from './queries.ts';

/** How many items of the inbox need attention; nothing while there are none. */
export function InboxBadge() {
  const { t } = useTranslation();
  const { data } = useQuery(inboxCountQuery());
  if (!data || data.count === 0) return null;
  return (
    <span className={styles.badge} role="status" aria-label={t('inbox.open', { count: data.count })}>
      {data.count > 99 ? '99+' : formatNumber(data.count)}
    </span>
  );
}

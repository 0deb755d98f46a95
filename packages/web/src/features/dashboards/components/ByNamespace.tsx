import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../format/number.ts';
import { Hint } from '../../../ui/Hint.tsx';
import type { DateRange } from '../../../ui/index.ts';
import { executionsByNamespaceQuery, stateSeries } from '../../stats/index.ts';
import styles from './dashboard.module.css';
import type { When } from './Figures.tsx';
import { ListCard } from './ListCard.tsx';

const shown = 5;

interface ByNamespaceProps {
  filters: Readonly<Record<string, unknown>>;
  range: DateRange;
  when: When;
}

/** The namespaces in which most ran, each with how it ended. */
export function ByNamespace({ filters, range, when }: ByNamespaceProps) {
  const { t } = useTranslation();
  const query = useQuery(executionsByNamespaceQuery(filters, range));
  const series = stateSeries(t);
  const sorted = Object.entries(query.data ?? {})
    .filter(([, { total }]) => total > 0)
    .toSorted(([, a], [, b]) => b.total - a.total)
    .slice(0, shown);
  const most = Math.max(1, ...sorted.map(([, { total }]) => total));
  return (
    <ListCard
      title={t('dashboard.byNamespace')}
      query={query}
      isEmpty={sorted.length === 0}
      empty={t('dashboard.nothingRan')}
      rows={shown}
      rowHeight={36}
    >
      <div>
        {sorted.map(([namespace, { counts, total }]) => {
          const parts = series.filter(({ key }) => (counts[key] ?? 0) > 0);
          return (
            <div key={namespace} className={styles.share}>
              <Link to="/{-$tenant}/executions" search={{ ...when, namespace }} title={namespace}>
                {namespace}
              </Link>
              <Hint label={parts.map(({ key, label }) => `${label} ${counts[key]}`).join(', ')}>
                <span className={styles.track} style={{ width: `${(total / most) * 100}%` }}>
                  {parts.map(({ key, colour }) => (
                    <span key={key} style={{ flex: counts[key], background: colour }} />
                  ))}
                </span>
              </Hint>
              <span className={styles.total}>{formatNumber(total)}</span>
            </div>
          );
        })}
      </div>
    </ListCard>
  );
}

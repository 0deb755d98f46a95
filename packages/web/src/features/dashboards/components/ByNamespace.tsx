import { Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { DateRange } from '../../../ui/index.ts';
import { executionsByNamespaceQuery, stateSeries } from '../../stats/index.ts';
import { Card } from './Card.tsx';
import styles from './dashboard.module.css';

const shown = 8;

interface ByNamespaceProps {
  filters: Readonly<Record<string, unknown>>;
  range: DateRange;
}

/** The namespaces in which most ran, each with how it ended. */
export function ByNamespace({ filters, range }: ByNamespaceProps) {
  const { t } = useTranslation();
  const { data } = useQuery(executionsByNamespaceQuery(filters, range));
  const series = stateSeries(t);
  const sorted = Object.entries(data ?? {})
    .filter(([, { total }]) => total > 0)
    .toSorted(([, a], [, b]) => b.total - a.total)
    .slice(0, shown);
  const most = Math.max(1, ...sorted.map(([, { total }]) => total));
  return (
    <Card title={t('dashboard.byNamespace')} columns={6}>
      {data && sorted.length === 0 && <p className={styles.quiet}>{t('dashboard.nothingRan')}</p>}
      <div>
        {sorted.map(([namespace, { counts, total }]) => {
          const parts = series.filter(({ key }) => (counts[key] ?? 0) > 0);
          return (
            <div key={namespace} className={styles.share}>
              <Link to="/{-$tenant}/executions" search={{ namespace }}>
                {namespace}
              </Link>
              <Tooltip label={parts.map(({ key, label }) => `${label} ${counts[key]}`).join(', ')}>
                <span className={styles.track} style={{ width: `${(total / most) * 100}%` }}>
                  {parts.map(({ key, colour }) => (
                    <span key={key} style={{ flex: counts[key], background: colour }} />
                  ))}
                </span>
              </Tooltip>
              <span className={styles.total}>{total.toLocaleString()}</span>
            </div>
          );
        })}
      </div>
    </Card>
  );
}

import type { Dashboard } from '@millrace/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { parseIsoDuration } from '../../../format/duration.ts';
import {
  EmptyState,
  ListFilters,
  RefreshButtons,
  rangeBounds,
  type UsualRange,
  useAutoRefresh,
  useListView,
  usualRanges,
} from '../../../ui/index.ts';
import { ChartCard } from './ChartCard.tsx';
import styles from './dashboard.module.css';

const noFields: never[] = [];
const refreshMs = 10_000;

/** A dashboard that somebody wrote, over the time that its author meant unless another one is chosen. */
export function CustomDashboard({ dashboard }: { dashboard: Dashboard }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { timeWindow, charts = [] } = dashboard;
  const view = useListView({ fields: noFields, defaultSort: 'id:asc', defaultRange: timeWindow.default });
  const auto = useAutoRefresh();
  const range = view.range ?? { kind: 'relative', duration: timeWindow.default };
  const longestMs = parseIsoDuration(timeWindow.max) ?? Number.POSITIVE_INFINITY;
  const ranges: UsualRange[] = usualRanges.filter((one) => (parseIsoDuration(one) ?? 0) <= longestMs);
  return (
    <>
      <ListFilters
        name={`dashboard-${dashboard.id}`}
        view={view}
        ranges={ranges}
        tools={
          <RefreshButtons
            auto={auto}
            onRefresh={() => void client.invalidateQueries({ queryKey: ['dashboards'] })}
          />
        }
      />
      {dashboard.description && <p className={styles.lead}>{dashboard.description}</p>}
      {charts.length === 0 && (
        <EmptyState
          illustration="dryRace"
          title={t('dashboard.noCharts')}
          text={t('dashboard.noChartsText')}
        />
      )}
      <div className={styles.grid}>
        {charts.map((chart) => (
          <ChartCard
            key={chart.id}
            chart={chart}
            from={{ dashboard: dashboard.id }}
            windowKey={range}
            window={() => rangeBounds(range, Date.now(), parseIsoDuration)}
            refetchInterval={auto.on && range.kind === 'relative' && refreshMs}
          />
        ))}
      </div>
    </>
  );
}

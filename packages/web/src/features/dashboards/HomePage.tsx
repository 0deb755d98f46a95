import { type Dashboard, executions, flows } from '@millrace/contract';
import { IconEdit, IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';
import { parseIsoDuration } from '../../format/duration.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import {
  BrokenPart,
  EmptyState,
  LinkButton,
  ListFilters,
  Loading,
  Page,
  type RangePreset,
  RefreshButtons,
  rangeBounds,
  rangePresets,
  useAutoRefresh,
  useListView,
} from '../../ui/index.ts';
import { ChartCard } from './cards/ChartCard.tsx';
import styles from './cards/dashboard.module.css';
import { DashboardMenu } from './DashboardMenu.tsx';
import { DefaultDashboard } from './DefaultDashboard.tsx';
import { dashboardQuery } from './queries.ts';

/** The start page: the default dashboard, or the one in the address. */
export function HomePage() {
  const { t } = useTranslation();
  const { id = 'default' } = useParams({ from: '/{-$tenant}/dashboards/{-$id}' });
  const isDefault = id === 'default';
  useFirstVisit();
  const { data, error, refetch } = useQuery({ ...dashboardQuery(id), enabled: !isDefault });
  return (
    <Page
      title={isDefault ? t('dashboard.overview') : (data?.title ?? id)}
      actions={
        <>
          <DashboardMenu current={id} />
          {!isDefault && (
            <LinkButton
              to="/{-$tenant}/dashboards/$id/edit"
              params={{ id }}
              variant="default"
              leftSection={<IconEdit size={16} />}
            >
              {t('dashboard.edit')}
            </LinkButton>
          )}
          {isDefault && (
            <LinkButton to="/{-$tenant}/flows/new" search={{}} leftSection={<IconPlus size={16} />}>
              {t('flow.create')}
            </LinkButton>
          )}
        </>
      }
    >
      {isDefault && <DefaultDashboard />}
      {!isDefault &&
        !data &&
        (error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />)}
      {!isDefault && data && <CustomDashboard key={id} dashboard={data} />}
    </Page>
  );
}

const noFields: never[] = [];
const refreshMs = 10_000;

/** A custom dashboard, over the time range of its source unless the user chooses another. */
function CustomDashboard({ dashboard }: { dashboard: Dashboard }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { timeWindow, charts = [] } = dashboard;
  const view = useListView({ fields: noFields, defaultSort: 'id:asc', defaultRange: timeWindow.default });
  const auto = useAutoRefresh();
  const range = view.range ?? { kind: 'relative', duration: timeWindow.default };
  const longestMs = parseIsoDuration(timeWindow.max) ?? Number.POSITIVE_INFINITY;
  const ranges: RangePreset[] = rangePresets.filter((one) => (parseIsoDuration(one) ?? 0) <= longestMs);
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

const tutorialNamespace = 'tutorial';

/** Where nothing was made and nothing has run yet, the welcome page says more than empty charts. */
function useFirstVisit(): void {
  const navigate = useNavigate();
  const { data: isEmpty } = useQuery({
    queryKey: ['firstVisit', currentTenant()],
    queryFn: async ({ signal }) => {
      const [found, ran] = await Promise.all([
        call(flows.searchFlows, { query: { size: 10, sort: 'id:asc' }, signal, failures: 'handled' }),
        call(executions.searchExecutions, { query: { size: 10 }, signal, failures: 'handled' }),
      ]);
      if (ran.total > 0) return false;
      if (found.results.some(({ namespace }) => namespace !== tutorialNamespace)) return false;
      if (found.total <= found.results.length) return true;
      // The first ten may all be of the tutorial, which does not count.
      const query = { size: 1, 'filters[namespace][NOT_EQUALS]': tutorialNamespace };
      return (await call(flows.searchFlows, { query, signal, failures: 'handled' })).total === 0;
    },
    staleTime: 0,
    gcTime: 0,
  });
  useEffect(() => {
    if (isEmpty) void navigate({ to: '/{-$tenant}/welcome', replace: true });
  }, [isEmpty, navigate]);
}

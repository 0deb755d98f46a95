import { ActionIcon, Button, Menu, TextInput } from '@mantine/core';
import { type Dashboard, dashboards, executions, flows } from '@millrace/contract';
import { IconChevronDown, IconEdit, IconPlus, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';
import { parseIsoDuration } from '../../format/duration.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { showSuccess } from '../../shell/toasts.ts';
import {
  BrokenPart,
  confirm,
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
  WarningIcon,
} from '../../ui/index.ts';
import { LinkMenuItem } from '../../ui/menu/LinkMenuItem.tsx';
import { ChartCard } from './cards/ChartCard.tsx';
import styles from './cards/dashboard.module.css';
import { DefaultDashboard } from './DefaultDashboard.tsx';
import { dashboardQuery, dashboardsQuery } from './queries.ts';

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

const searchableFrom = 10;

/** The dashboards to choose from, and the way to a new one. */
function DashboardMenu({ current }: { current: string }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const { data } = useQuery(dashboardsQuery());
  const deletion = useMutation({
    mutationFn: (id: string) => call(dashboards.deleteDashboard, { params: { id } }),
    onSuccess: async (_, id) => {
      showSuccess(t('dashboard.deleted'));
      await client.invalidateQueries({ queryKey: ['dashboards'] });
      if (id === current) {
        await navigate({ to: '/{-$tenant}/dashboards/{-$id}', params: { id: undefined }, search: {} });
      }
    },
  });
  const remove = async (id: string, title: string) => {
    const agreed = await confirm({
      title: t('dashboard.delete', { title }),
      body: t('dashboard.deleteText'),
      confirm: t('action.delete'),
      cancel: t('action.cancel'),
      dangerous: true,
    });
    if (agreed) deletion.mutate(id);
  };
  const all = data?.results ?? [];
  const found = all.filter(({ title }) => title.toLowerCase().includes(typed.trim().toLowerCase()));
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <Button variant="default" rightSection={<IconChevronDown size={15} />}>
          {t('nav.dashboards')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <LinkMenuItem to="/{-$tenant}/dashboards/new" search={{}} leftSection={<IconPlus size={15} />}>
          {t('dashboard.create')}
        </LinkMenuItem>
        <Menu.Divider />
        {all.length >= searchableFrom && (
          <TextInput
            size="xs"
            m={6}
            placeholder={t('filter.find')}
            aria-label={t('filter.find')}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <LinkMenuItem to="/{-$tenant}/dashboards/{-$id}" params={{ id: undefined }} search={{}}>
          {t('dashboard.default')}
        </LinkMenuItem>
        {found.map(({ id, title, exception }) => (
          <div key={id} style={{ display: 'flex', alignItems: 'center' }}>
            <LinkMenuItem
              to="/{-$tenant}/dashboards/{-$id}"
              params={{ id }}
              search={{}}
              style={{ flex: 1, minWidth: 0 }}
              rightSection={exception === undefined ? undefined : <WarningIcon label={exception} />}
            >
              {title}
            </LinkMenuItem>
            <ActionIcon
              size={26}
              aria-label={t('dashboard.delete', { title })}
              onClick={() => void remove(id, title)}
            >
              <IconTrash size={15} stroke={1.7} />
            </ActionIcon>
          </div>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

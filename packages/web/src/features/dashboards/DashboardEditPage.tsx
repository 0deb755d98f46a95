import { Button } from '@mantine/core';
import { blueprints, type Dashboard, dashboards } from '@millrace/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { showSuccess } from '../../shell/toasts.ts';
import { useUnsavedGuard } from '../../shell/useUnsavedGuard.ts';
import { BrokenPart, Loading, Page } from '../../ui/index.ts';
import { DashboardEditor } from './DashboardEditor.tsx';
import { dashboardQuery } from './queries.ts';

export function DashboardEditPage() {
  const { id } = useParams({ from: '/{-$tenant}/dashboards/$id/edit' });
  const { data, error, refetch } = useQuery({ ...dashboardQuery(id), refetchOnWindowFocus: false });
  if (!data) return error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />;
  return <Editor key={id} dashboard={data} />;
}

function Editor({ dashboard }: { dashboard: Dashboard }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { id, sourceCode = '' } = dashboard;
  const [source, setSource] = useState(sourceCode);
  const isDirty = source !== sourceCode;
  useUnsavedGuard(
    () => isDirty,
    () => setSource(sourceCode),
  );
  const saving = useMutation({
    mutationFn: () => call(dashboards.updateDashboard, { params: { id }, body: source }),
    onSuccess: async (saved) => {
      client.setQueryData(dashboardQuery(id).queryKey, { ...saved, sourceCode: source });
      showSuccess(t('dashboard.saved', { title: saved.title }));
      await client.invalidateQueries({ queryKey: ['dashboards'] });
    },
  });
  const save = () => isDirty && !saving.isPending && saving.mutate();
  return (
    <Page
      title={dashboard.title}
      layout="fill"
      breadcrumb={[
        <Link key="home" to="/{-$tenant}/dashboards/{-$id}" params={{ id: undefined }} search={{}}>
          {t('nav.dashboards')}
        </Link>,
        <Link key="this" to="/{-$tenant}/dashboards/{-$id}" params={{ id }} search={{}}>
          {dashboard.title}
        </Link>,
      ]}
      actions={
        <Button disabled={!isDirty} loading={saving.isPending} onClick={save}>
          {t('action.save')}
        </Button>
      }
    >
      <DashboardEditor source={source} onChange={setSource} onSave={save} />
    </Page>
  );
}

/** A new dashboard, from an example or from a blueprint. */
export function DashboardCreatePage() {
  const { blueprintId } = useSearch({ from: '/{-$tenant}/dashboards/new' });
  const { data, error, refetch } = useQuery({
    queryKey: ['blueprints', currentTenant(), 'dashboard', blueprintId, 'source'],
    queryFn: ({ signal }) =>
      call(blueprints.getBlueprintSource, { params: { kind: 'dashboard', id: blueprintId ?? '' }, signal }),
    enabled: blueprintId !== undefined,
  });
  // Another text in its place would be taken for the blueprint.
  if (error && data === undefined) return <BrokenPart error={error} onRetry={() => void refetch()} />;
  if (blueprintId && data === undefined) return <Loading />;
  return <NewDashboard key={blueprintId} start={data ?? exampleDashboard} />;
}

function NewDashboard({ start }: { start: string }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [source, setSource] = useState(start);
  const isSaved = useRef(false);
  useUnsavedGuard(
    () => source !== start && !isSaved.current,
    () => setSource(start),
    { parameters: ['blueprintId'] },
  );
  const saving = useMutation({
    mutationFn: () => call(dashboards.createDashboard, { body: source }),
    onSuccess: async ({ id, title }) => {
      isSaved.current = true;
      showSuccess(t('dashboard.saved', { title }));
      await client.invalidateQueries({ queryKey: ['dashboards'] });
      await navigate({ to: '/{-$tenant}/dashboards/$id/edit', params: { id } });
    },
  });
  return (
    <Page
      title={t('dashboard.create')}
      layout="fill"
      breadcrumb={[
        <Link key="home" to="/{-$tenant}/dashboards/{-$id}" params={{ id: undefined }} search={{}}>
          {t('nav.dashboards')}
        </Link>,
      ]}
      actions={
        <Button loading={saving.isPending} onClick={() => saving.mutate()}>
          {t('action.save')}
        </Button>
      }
    >
      <DashboardEditor source={source} onChange={setSource} onSave={() => saving.mutate()} />
    </Page>
  );
}

/** What a new dashboard starts from: one chart of each usual kind, ready to be changed. */
const exampleDashboard = `title: My dashboard
description: What happened lately
timeWindow:
  default: P30D
  max: P365D
charts:
  - id: executions_per_day
    type: core.dashboard.chart.TimeSeries
    chartOptions:
      displayName: Executions per day
      width: 8
      column: date
      colorByColumn: state
    data:
      type: core.dashboard.data.Executions
      columns:
        date:
          field: START_DATE
        state:
          field: STATE
        total:
          displayName: Executions
          agg: COUNT
          graphStyle: BARS

  - id: by_state
    type: core.dashboard.chart.Pie
    chartOptions:
      displayName: By state
      width: 4
      colorByColumn: state
    data:
      type: core.dashboard.data.Executions
      columns:
        state:
          field: STATE
        total:
          agg: COUNT

  - id: by_namespace
    type: core.dashboard.chart.Bar
    chartOptions:
      displayName: By namespace
      width: 6
      column: namespace
    data:
      type: core.dashboard.data.Executions
      columns:
        namespace:
          field: NAMESPACE
        state:
          field: STATE
        total:
          displayName: Executions
          agg: COUNT

  - id: in_progress
    type: core.dashboard.chart.Table
    chartOptions:
      displayName: In progress
      width: 6
    data:
      type: core.dashboard.data.Executions
      columns:
        flow:
          displayName: Flow
          field: FLOW_ID
        state:
          displayName: State
          field: STATE
        start:
          displayName: Started
          field: START_DATE
      where:
        - field: STATE
          type: IN
          values: [RUNNING, PAUSED, QUEUED]
`;

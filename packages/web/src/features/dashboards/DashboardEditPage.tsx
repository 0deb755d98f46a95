import { Button } from '@mantine/core';
import { type Dashboard, dashboards } from '@millrace/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/call.ts';
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

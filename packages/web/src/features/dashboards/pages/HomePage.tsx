import { IconEdit, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BrokenPart, LinkButton, Loading, Page } from '../../../ui/index.ts';
import { CustomDashboard } from '../components/CustomDashboard.tsx';
import { DashboardMenu } from '../components/DashboardMenu.tsx';
import { DefaultDashboard } from '../components/DefaultDashboard.tsx';
import { dashboardQuery } from '../queries.ts';
import { useFirstVisit } from '../useFirstVisit.ts';

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

import { Button } from '@mantine/core';
import { instance } from '@millrace/contract';
import { IconTool } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { linkOptions, useParams } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { call } from '../../api/call.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { maintenanceQuery } from '../../shell/notices/MaintenanceBanner.tsx';
import { confirm, Loading, Page, TabBar } from '../../ui/index.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { useControl } from './queries.ts';
import { UsageTab } from './UsageTab.tsx';

const tabs = ['usage', 'servers', 'work', 'health', 'diagnostics'] as const;

const ServersTab = lazyPart(() => import('./ServersTab.tsx'), 'ServersTab');
const WorkTab = lazyPart(() => import('./WorkTab.tsx'), 'WorkTab');
const HealthTab = lazyPart(() => import('./HealthTab.tsx'), 'HealthTab');
const DiagnosticsTab = lazyPart(() => import('./DiagnosticsTab.tsx'), 'DiagnosticsTab');
const MaintenanceDialog = lazyPart(() => import('./MaintenanceDialog.tsx'), 'MaintenanceDialog');

/** How much the installation is used, its servers, the work that waits, the health of its stores, and the switches of operators. */
export function InstancePage() {
  const { t } = useTranslation();
  const { tab: asked } = useParams({ from: '/{-$tenant}/admin/stats/{-$tab}' });
  const tab = tabs.find((name) => name === asked) ?? 'usage';
  return (
    <Page
      title={t('nav.stats')}
      tabs={
        <TabBar
          label={t('instance.tabs')}
          active={tab}
          items={tabs.map((name) => ({
            id: name,
            label: t(`instance.tab.${name}`),
            link: linkOptions({
              to: '/{-$tenant}/admin/stats/{-$tab}',
              params: { tab: name === 'usage' ? undefined : name },
              search: {},
            }),
          }))}
        />
      }
      actions={<MaintenanceButton />}
    >
      <Suspense fallback={<Loading />}>
        {tab === 'usage' && <UsageTab />}
        {tab === 'servers' && <ServersTab />}
        {tab === 'work' && <WorkTab />}
        {tab === 'health' && <HealthTab />}
        {tab === 'diagnostics' && <DiagnosticsTab />}
      </Suspense>
    </Page>
  );
}

function MaintenanceButton() {
  const { t } = useTranslation();
  const { data } = useQuery(maintenanceQuery());
  const [isOpen, setOpen] = useState(false);
  const end = useControl(() => call(instance.endMaintenance, {}));
  const ask = async () => {
    const agreed = await confirm({
      title: t('instance.maintenance.endTitle'),
      body: t('instance.maintenance.endText'),
      confirm: t('instance.maintenance.end'),
      cancel: t('action.cancel'),
    });
    if (agreed) end.mutate(undefined);
  };
  if (data?.isActive)
    return (
      <Button loading={end.isPending} onClick={() => void ask()}>
        {t('instance.maintenance.end')}
      </Button>
    );
  return (
    <>
      <Button variant="default" leftSection={<IconTool size={16} />} onClick={() => setOpen(true)}>
        {t('instance.maintenance.start')}
      </Button>
      {isOpen && (
        <Suspense>
          <MaintenanceDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

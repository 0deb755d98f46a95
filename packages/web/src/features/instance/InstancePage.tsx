import { Button, Checkbox, Text, Textarea } from '@mantine/core';
import { instance } from '@millrace/contract';
import { IconTool } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { linkOptions, useParams } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { call } from '../../api/call.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { maintenanceQuery } from '../../shell/notices/MaintenanceBanner.tsx';
import { ActionDialog } from '../../ui/dialog/ActionDialog.tsx';
import { confirm, Loading, Page, TabBar } from '../../ui/index.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { useControl } from './queries.ts';
import { UsageTab } from './UsageTab.tsx';

const tabs = ['usage', 'servers', 'work', 'health', 'diagnostics'] as const;

const ServersTab = lazyPart(() => import('./ServersTab.tsx'), 'ServersTab');
const WorkTab = lazyPart(() => import('./WorkTab.tsx'), 'WorkTab');
const HealthTab = lazyPart(() => import('./HealthTab.tsx'), 'HealthTab');
const DiagnosticsTab = lazyPart(() => import('./DiagnosticsTab.tsx'), 'DiagnosticsTab');

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
      {isOpen && <MaintenanceDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function MaintenanceDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [message, setMessage] = useState('');
  const [allowManual, setAllowManual] = useState(false);
  const [finishRunning, setFinishRunning] = useState(false);
  const start = useControl(
    () => call(instance.startMaintenance, { body: { message, allowManual, finishRunning } }),
    onClose,
  );
  return (
    <ActionDialog
      title={t('instance.maintenance.title')}
      confirm={t('instance.maintenance.start')}
      isPending={start.isPending}
      onConfirm={() => start.mutate(undefined)}
      onClose={onClose}
    >
      <Text size="sm">{t('instance.maintenance.text')}</Text>
      <Textarea
        label={t('instance.maintenance.message')}
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
        maxLength={500}
        rows={3}
        data-autofocus
      />
      <Checkbox
        label={t('instance.maintenance.finishRunning')}
        checked={finishRunning || allowManual}
        disabled={allowManual}
        onChange={(event) => setFinishRunning(event.currentTarget.checked)}
      />
      <Checkbox
        label={t('instance.maintenance.allowManual')}
        checked={allowManual}
        onChange={(event) => setAllowManual(event.currentTarget.checked)}
      />
    </ActionDialog>
  );
}

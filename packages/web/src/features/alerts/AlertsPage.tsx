import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { linkOptions, useParams } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Loading, Page, TabBar } from '../../ui/index.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { ChannelList } from './ChannelList.tsx';
import { DeliveryList, IncidentList } from './HistoryLists.tsx';
import { RuleList } from './RuleList.tsx';

const tabs = ['rules', 'channels', 'incidents', 'messages', 'yaml'] as const;

const RuleForm = lazyPart(() => import('./RuleForm.tsx'), 'RuleForm');
const ChannelForm = lazyPart(() => import('./ChannelForm.tsx'), 'ChannelForm');
const AlertSource = lazyPart(() => import('./AlertSource.tsx'), 'AlertSource');

/** Who is notified about what: rules, the channels they use, and what came of them. */
export function AlertsPage() {
  const { t } = useTranslation();
  const { tab: asked } = useParams({ from: '/{-$tenant}/alerts/{-$tab}' });
  const tab = tabs.find((name) => name === asked) ?? 'rules';
  const [creating, setCreating] = useState<'rule' | 'channel'>();
  const close = () => setCreating(undefined);
  const kind = tab === 'channels' ? 'channel' : 'rule';
  return (
    <Page
      title={t('nav.alerts')}
      layout={tab === 'yaml' ? 'fill' : 'scroll'}
      tabs={
        <TabBar
          label={t('alerts.tabs')}
          active={tab}
          items={tabs.map((name) => ({
            id: name,
            label: t(`alerts.tab.${name}`),
            link: linkOptions({
              to: '/{-$tenant}/alerts/{-$tab}',
              params: { tab: name === 'rules' ? undefined : name },
              search: {},
            }),
          }))}
        />
      }
      actions={
        (tab === 'rules' || tab === 'channels') && (
          <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(kind)}>
            {t(kind === 'rule' ? 'alerts.newRule' : 'alerts.newChannel')}
          </Button>
        )
      }
    >
      <Suspense fallback={<Loading />}>
        {tab === 'rules' && (
          <RuleList onCreate={() => setCreating('rule')} onCreateChannel={() => setCreating('channel')} />
        )}
        {tab === 'channels' && <ChannelList onCreate={() => setCreating('channel')} />}
        {tab === 'incidents' && <IncidentList />}
        {tab === 'messages' && <DeliveryList />}
        {tab === 'yaml' && <AlertSource />}
      </Suspense>
      <Suspense>
        {creating === 'rule' && <RuleForm onClose={close} />}
        {creating === 'channel' && <ChannelForm onClose={close} />}
      </Suspense>
    </Page>
  );
}

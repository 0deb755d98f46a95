import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link, linkOptions, useParams } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EnterpriseLock } from '../../../ui/EnterpriseLock.tsx';
import { EmptyState, LinkButton, Loading, Page, TabBar } from '../../../ui/index.ts';
import { Upsell } from '../../../ui/Upsell.tsx';
import { ExecutionsOfNamespace } from '../../executions/index.ts';
import { FlowsOfNamespace } from '../../flowList/index.ts';
import { withParents } from '../../flows/index.ts';
import { KvForm, KvList } from '../../kv/index.ts';
import { SecretList } from '../../secrets/index.ts';
import { NamespaceDependencies } from '../components/NamespaceDependencies.tsx';
import { NamespaceFiles } from '../components/NamespaceFiles.tsx';
import { NamespaceOverview } from '../components/NamespaceOverview.tsx';
import { isUpsellTab, namespaceTabs } from '../namespaceTabs.ts';

export function NamespacePage() {
  const { t } = useTranslation();
  const { id, tab: asked } = useParams({ from: '/{-$tenant}/namespaces/edit/$id/{-$tab}' });
  const [isCreatingKv, setCreatingKv] = useState(false);
  // An unknown tab shows what a missing one shows.
  const tab = namespaceTabs.find((name) => name === asked) ?? 'overview';
  const parents = withParents(id).slice(0, -1);
  return (
    <Page
      title={id}
      isCode
      layout={tab === 'files' || tab === 'dependencies' ? 'fill' : 'scroll'}
      breadcrumb={[
        <Link key="all" to="/{-$tenant}/namespaces" search={{}}>
          {t('nav.namespaces')}
        </Link>,
        ...parents.map((parent) => (
          <Link
            key={parent}
            to="/{-$tenant}/namespaces/edit/$id/{-$tab}"
            params={{ id: parent, tab: undefined }}
            search={{}}
          >
            {parent}
          </Link>
        )),
      ]}
      tabs={
        <TabBar
          label={t('namespace.tabs')}
          active={tab}
          items={namespaceTabs.map((name) => ({
            id: name,
            label: t(`namespace.tab.${name}`),
            badge: isUpsellTab(name) && <EnterpriseLock />,
            link: linkOptions({
              to: '/{-$tenant}/namespaces/edit/$id/{-$tab}',
              params: { id, tab: name === 'overview' ? undefined : name },
              search: {},
            }),
          }))}
        />
      }
      actions={
        tab === 'kv' ? (
          <Button leftSection={<IconPlus size={16} />} onClick={() => setCreatingKv(true)}>
            {t('kv.create')}
          </Button>
        ) : (
          <LinkButton
            to="/{-$tenant}/flows/new"
            search={{ namespace: id }}
            leftSection={<IconPlus size={16} />}
          >
            {t('flow.create')}
          </LinkButton>
        )
      }
    >
      <Suspense fallback={<Loading />}>
        {tab === 'overview' && <NamespaceOverview namespace={id} />}
        {tab === 'files' && <NamespaceFiles key={id} namespace={id} />}
        {tab === 'flows' && <FlowsOfNamespace namespace={id} />}
        {tab === 'executions' && (
          <ExecutionsOfNamespace
            name="namespace-executions"
            of={{ namespace: id }}
            empty={
              <EmptyState
                illustration="stillWater"
                title={t('execution.none')}
                text={t('execution.noneText')}
              />
            }
          />
        )}
        {tab === 'dependencies' && <NamespaceDependencies namespace={id} />}
        {tab === 'kv' && <KvList namespace={id} onCreate={() => setCreatingKv(true)} />}
        {tab === 'secrets' && <SecretList namespace={id} />}
        {isUpsellTab(tab) && <Upsell title={t(`namespace.tab.${tab}`)} text={t(`namespace.upsell.${tab}`)} />}
        {isCreatingKv && <KvForm namespace={id} onClose={() => setCreatingKv(false)} />}
      </Suspense>
    </Page>
  );
}

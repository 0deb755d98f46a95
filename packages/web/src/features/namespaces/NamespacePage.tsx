import { Button } from '@mantine/core';
import { namespaces } from '@millrace/contract';
import { IconCalendarTime, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, linkOptions, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { useUnsavedGuard } from '../../shell/useUnsavedGuard.ts';
import { BrokenPart, EmptyState, LinkButton, Loading, Page, TabBar } from '../../ui/index.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { EnterpriseLock, Upsell } from '../../ui/page/Upsell.tsx';
import { ExecutionsOfNamespace } from '../executions/index.ts';
import { withParents } from '../flows/index.ts';
import { FlowsOfNamespace } from '../flows/list/index.ts';
import { RunNamespaceTests } from '../flowTests/index.ts';
import { KvForm, KvList } from '../kv/index.ts';
import { SecretList } from '../secrets/index.ts';
import { FilesView } from './files/FilesView.tsx';
import { useOpenFiles } from './files/useOpenFiles.ts';

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
          <>
            <LinkButton
              to="/{-$tenant}/calendar"
              search={{ namespace: id }}
              variant="default"
              leftSection={<IconCalendarTime size={16} />}
            >
              {t('nav.calendar')}
            </LinkButton>
            {tab === 'flows' && (
              <Suspense>
                <RunNamespaceTests namespace={id} />
              </Suspense>
            )}
            <LinkButton
              to="/{-$tenant}/flows/new"
              search={{ namespace: id }}
              leftSection={<IconPlus size={16} />}
            >
              {t('flow.create')}
            </LinkButton>
          </>
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

const DependencyGraph = lazyPart(() => import('../dependencies/index.ts'), 'DependencyGraph');

/** Which flows of a namespace start each other, and others. */
function NamespaceDependencies({ namespace }: { namespace: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: ['dependencies', currentTenant(), namespace],
    queryFn: ({ signal }) => call(namespaces.getNamespaceDependencies, { params: { namespace }, signal }),
  });
  if (!data) return error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />;
  if (data.edges.length === 0) {
    return (
      <EmptyState illustration="dryRace" title={t('dependencies.none')} text={t('dependencies.noneText')} />
    );
  }
  return <DependencyGraph topology={data} />;
}

/** The files of a namespace. The file on top is in the address. */
function NamespaceFiles({ namespace }: { namespace: string }) {
  const { t } = useTranslation();
  const { file: active } = useSearch({ from: '/{-$tenant}/namespaces/edit/$id/{-$tab}' });
  const navigate = useNavigate({ from: '/{-$tenant}/namespaces/edit/$id/{-$tab}' });
  const files = useOpenFiles(namespace, {
    active,
    opensDrafts: true,
    onShow: (path) => void navigate({ search: (old) => ({ ...old, file: path }), params: true, to: '.' }),
  });
  useUnsavedGuard(() => files.isDirty, files.leave, { text: t('file.leave') });
  return <FilesView name="namespace-files" files={files} />;
}

const DefaultDashboard = lazyPart(() => import('../dashboards/index.ts'), 'DefaultDashboard');

/** How everything in a namespace goes. */
function NamespaceOverview({ namespace }: { namespace: string }) {
  return <DefaultDashboard namespace={namespace} />;
}

const upsells = ['edit', 'variables', 'plugin-defaults', 'history', 'audit-logs'] as const;

const namespaceTabs = [
  'overview',
  'flows',
  'executions',
  'dependencies',
  'files',
  'kv',
  'secrets',
  ...upsells,
] as const;
type NamespaceTab = (typeof namespaceTabs)[number];

/** What this edition only describes. */
const isUpsellTab = (tab: NamespaceTab): tab is (typeof upsells)[number] =>
  upsells.some((name) => name === tab);

import { Button } from '@mantine/core';
import { IconBolt, IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, linkOptions, Navigate, useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BrokenPart, DotsPlaceholder, LinkButton, Loading, Page, TabBar } from '../../../ui/index.ts';
import { ExecuteDialog } from '../../executions/index.ts';
import { DeleteLogsButton } from '../components/DeleteLogsButton.tsx';
import { FlowTab } from '../components/FlowTab.tsx';
import { fillsPage, flowTabs } from '../components/flowTabs.ts';
import { RestoreButton } from '../components/RestoreButton.tsx';
import { useConfirmDelete } from '../components/useConfirmDelete.tsx';
import { isReadOnly } from '../isReadOnly.ts';
import { dependenciesQuery, type FlowKey, flowQuery } from '../queries.ts';
import styles from './FlowPage.module.css';

const FlowMenu = lazy(() =>
  import('../components/FlowMenu.tsx').then((module) => ({ default: module.FlowMenu })),
);

const path = '/{-$tenant}/flows/edit/$namespace/$id/{-$tab}';

export function FlowPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { namespace, id, tab: asked } = useParams({ from: path });
  const { data: flow, error, refetch } = useQuery(flowQuery({ namespace, id }));
  const [isExecuting, setExecuting] = useState(false);
  const [tabActions, setTabActions] = useState<HTMLElement | null>(null);
  const confirmDelete = useConfirmDelete();

  // Older links call the editor's tab "editor".
  if (asked === 'editor') return <Navigate to="." params={{ tab: 'edit' }} replace />;

  // An unknown tab shows what a missing one shows.
  const tab = flowTabs.find((name) => name === asked) ?? 'overview';
  const canRun = flow !== undefined && !flow.disabled && !flow.deleted;
  const remove = async () => {
    if (await confirmDelete({ namespace, id })) await navigate({ to: '/{-$tenant}/flows', search: {} });
  };

  return (
    <Page
      title={flow?.deleted ? t('flow.deletedTitle', { id }) : id}
      {...(flow &&
        isReadOnly(flow) && {
          badge: <IconLock size={16} stroke={1.7} role="img" aria-label={t('flow.readOnly')} />,
        })}
      layout={fillsPage(tab) ? 'fill' : 'scroll'}
      breadcrumb={[
        <Link key="flows" to="/{-$tenant}/flows" search={{}}>
          {t('nav.flows')}
        </Link>,
        <Link key="namespace" to="/{-$tenant}/flows" search={{ namespace }}>
          {namespace}
        </Link>,
      ]}
      tabs={
        <TabBar
          label={t('flow.tabs')}
          active={tab}
          items={flowTabs.map((name) => ({
            id: name,
            label: t(`flow.tab.${name}`),
            ...(name === 'triggers' &&
              flow?.triggers?.length && { badge: <Count>{flow.triggers.length}</Count> }),
            ...(name === 'dependencies' && { badge: <DependencyCount namespace={namespace} id={id} /> }),
            link: linkOptions({
              to: path,
              params: { namespace, id, tab: name === 'overview' ? undefined : name },
              search: {},
            }),
          }))}
        />
      }
      actions={
        <>
          <Suspense fallback={<DotsPlaceholder framed />}>
            <FlowMenu namespace={namespace} id={id} flow={flow} onDelete={() => void remove()} />
          </Suspense>
          <span ref={setTabActions} style={{ display: 'contents' }} />
          {tab === 'logs' && flow && <DeleteLogsButton namespace={namespace} id={id} />}
          {tab !== 'edit' && (
            <LinkButton variant="default" to={path} params={{ namespace, id, tab: 'edit' }} search={{}}>
              {t('flow.edit')}
            </LinkButton>
          )}
          {flow?.deleted ? (
            <RestoreButton flow={flow} />
          ) : (
            <Button
              id="execute-button"
              leftSection={<IconBolt size={16} />}
              onClick={() => setExecuting(true)}
              disabled={!canRun}
            >
              {t('flow.execute')}
            </Button>
          )}
        </>
      }
    >
      {!flow && (error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />)}
      {flow && (
        <FlowTab tab={tab} flow={flow} actions={tabActions} onExecute={() => canRun && setExecuting(true)} />
      )}
      {isExecuting && <ExecuteDialog namespace={namespace} flowId={id} onClose={() => setExecuting(false)} />}
    </Page>
  );
}

/** How many flows start this one or are started by it; nothing until that is known. */
function DependencyCount(key: FlowKey) {
  const { data } = useQuery(dependenciesQuery(key));
  const others = (data?.nodes.length ?? 1) - 1;
  return others > 0 && <Count>{others}</Count>;
}

function Count({ children }: { children: number }) {
  return <span className={styles.count}>{children}</span>;
}

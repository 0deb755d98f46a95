import { Button } from '@mantine/core';
import { IconBolt } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, linkOptions, Navigate, useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BrokenPart, DotsPlaceholder, Loading, Page, TabBar } from '../../../ui/index.ts';
import { ExecuteDialog, ExecutionsOfFlow } from '../../executions/index.ts';
import { FlowOverview } from '../components/FlowOverview.tsx';
import { FlowTopology } from '../components/FlowTopology.tsx';
import { useConfirmDelete } from '../components/useConfirmDelete.ts';
import { flowQuery } from '../queries.ts';

const FlowMenu = lazy(() =>
  import('../components/FlowMenu.tsx').then((module) => ({ default: module.FlowMenu })),
);
const FlowRevisions = lazy(() =>
  import('../components/FlowRevisions.tsx').then((module) => ({ default: module.FlowRevisions })),
);
const FlowEditTab = lazy(() =>
  import('../components/FlowEditTab.tsx').then((module) => ({ default: module.FlowEditTab })),
);

const tabs = ['overview', 'topology', 'executions', 'edit', 'revisions'] as const;

export function FlowPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const {
    namespace,
    id,
    tab = 'overview',
  } = useParams({
    from: '/{-$tenant}/flows/edit/$namespace/$id/{-$tab}',
  });
  const { data: flow, error, refetch } = useQuery(flowQuery({ namespace, id }));
  const [isExecuting, setExecuting] = useState(false);
  const [editorActions, setEditorActions] = useState<HTMLElement | null>(null);
  const confirmDelete = useConfirmDelete();

  // Older links call the editor's tab "editor".
  if (tab === 'editor') return <Navigate to="." params={{ tab: 'edit' }} replace />;

  // An unknown tab shows what a missing one shows.
  const isOverview = !tabs.some((name) => name === tab && name !== 'overview');
  const canRun = flow !== undefined && !flow.disabled && !flow.deleted;
  const remove = async () => {
    if (await confirmDelete({ namespace, id })) await navigate({ to: '/{-$tenant}/flows', search: {} });
  };

  return (
    <Page
      title={flow?.deleted ? t('flow.deletedTitle', { id }) : id}
      layout={tab === 'edit' || tab === 'topology' ? 'fill' : 'scroll'}
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
          active={isOverview ? 'overview' : tab}
          items={tabs.map((name) => ({
            id: name,
            label: t(`flow.tab.${name}`),
            link: linkOptions({
              to: '/{-$tenant}/flows/edit/$namespace/$id/{-$tab}',
              params: { namespace, id, tab: name === 'overview' ? undefined : name },
              search: {},
            }),
          }))}
        />
      }
      actions={
        <>
          <Suspense fallback={<DotsPlaceholder framed />}>
            <FlowMenu
              id={id}
              canDelete={flow !== undefined && !flow.deleted}
              onDelete={() => void remove()}
            />
          </Suspense>
          <span ref={setEditorActions} style={{ display: 'contents' }} />
          <Button
            id="execute-button"
            leftSection={<IconBolt size={16} />}
            onClick={() => setExecuting(true)}
            disabled={!canRun}
          >
            {t('flow.execute')}
          </Button>
        </>
      }
    >
      {!flow && (error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />)}
      {flow && (
        <Suspense fallback={<Loading />}>
          {tab === 'topology' && <FlowTopology flow={flow} />}
          {tab === 'executions' && <ExecutionsOfFlow namespace={namespace} flowId={id} />}
          {tab === 'revisions' && <FlowRevisions flow={flow} />}
          {tab === 'edit' && (
            <FlowEditTab
              key={`${namespace}.${id}`}
              flow={flow}
              actions={editorActions}
              onExecute={() => canRun && setExecuting(true)}
            />
          )}
          {isOverview && <FlowOverview flow={flow} onExecute={() => setExecuting(true)} />}
        </Suspense>
      )}
      {isExecuting && <ExecuteDialog namespace={namespace} flowId={id} onClose={() => setExecuting(false)} />}
    </Page>
  );
}

import { Button } from '@mantine/core';
import { IconBolt } from '@tabler/icons-react';
import { Link, linkOptions, Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFollowedExecution } from '../../../api/followExecution.ts';
import { CopyButton, DotsPlaceholder, EmptyState, Loading, Page, TabBar } from '../../../ui/index.ts';
import { FlowLink } from '../../flows/index.ts';
import { actionIcons } from '../components/actionIcons.ts';
import { ExecuteDialog } from '../components/ExecuteDialogLazy.tsx';
import { ExecutionActionDialog } from '../components/ExecutionActionDialogLazy.tsx';
import { ExecutionStory } from '../components/ExecutionStory.tsx';
import { ExecutionTab, tabs } from '../components/ExecutionTab.tsx';
import { type ExecutionAction, prominentActionsIn } from '../components/executionActions.ts';
import { acrossTabs, type KeepInAddress } from '../search.ts';

const ExecutionMenu = lazy(() =>
  import('../components/ExecutionMenu.tsx').then((module) => ({ default: module.ExecutionMenu })),
);

const FilePreview = lazy(() =>
  import('../files/FilePreview.tsx').then((module) => ({ default: module.FilePreview })),
);

const from = '/{-$tenant}/executions/$namespace/$flowId/$id/{-$tab}';

export function ExecutionPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { namespace, flowId, id, tab: asked } = useParams({ from });
  const search = useSearch({ from });
  const { data: execution, error, refetch, isLive, isConnected } = useFollowedExecution(id);
  const [isExecuting, setExecuting] = useState(false);
  const [action, setAction] = useState<ExecutionAction>();
  // The same function all the time: each line of a log knows it.
  const keep = useCallback<KeepInAddress>(
    (part) => void navigate({ from, to: '.', search: (old) => ({ ...old, ...part }), replace: true }),
    [navigate],
  );
  const select = useCallback(
    (taskRunId: string | undefined) => keep({ taskRunId, attempt: undefined }),
    [keep],
  );
  // An id is enough to find an execution; its address names the flow that it is of.
  if (execution && (execution.namespace !== namespace || execution.flowId !== flowId)) {
    const of = { namespace: execution.namespace, flowId: execution.flowId };
    return <Navigate from={from} to="." params={(old) => ({ ...old, ...of })} search replace />;
  }
  // An unknown tab shows what a missing one shows.
  const tab = tabs.find((name) => name === asked) ?? 'overview';

  return (
    <Page
      title={id}
      isCode
      badge={<CopyButton value={id} />}
      layout={tab === 'overview' ? 'scroll' : 'fill'}
      breadcrumb={[
        <Link key="flows" to="/{-$tenant}/flows" search={{}}>
          {t('nav.flows')}
        </Link>,
        <FlowLink key="flow" namespace={namespace} id={flowId}>
          {namespace}.{flowId}
        </FlowLink>,
        <Link key="executions" to="/{-$tenant}/executions" search={{ namespace, flowId }}>
          {t('nav.executions')}
        </Link>,
      ]}
      actions={
        <>
          <Suspense fallback={<DotsPlaceholder framed />}>
            <ExecutionMenu
              namespace={namespace}
              flowId={flowId}
              id={id}
              state={execution?.state.current}
              onChoose={setAction}
            />
          </Suspense>
          {execution &&
            prominentActionsIn(execution.state.current).map((name) => {
              const Icon = actionIcons[name];
              return (
                <Button
                  key={name}
                  variant="default"
                  leftSection={<Icon size={16} stroke={1.7} />}
                  onClick={() => setAction(name)}
                >
                  {t(`executionAction.${name}.name`)}
                </Button>
              );
            })}
          <Button leftSection={<IconBolt size={16} />} onClick={() => setExecuting(true)}>
            {t('execution.again')}
          </Button>
        </>
      }
      tabs={
        <>
          {execution ? (
            <ExecutionStory execution={execution} isConnected={isConnected} />
          ) : (
            <div style={{ height: 54 }} />
          )}
          <TabBar
            label={t('execution.tabs')}
            active={tab}
            items={tabs.map((name) => ({
              id: name,
              label: t(`execution.tab.${name}`),
              link: linkOptions({
                to: from,
                params: { namespace, flowId, id, tab: name === 'overview' ? undefined : name },
                search: acrossTabs(search),
              }),
            }))}
          />
        </>
      }
    >
      {!execution &&
        (error ? (
          <EmptyState
            illustration="closedGate"
            title={t('execution.loadFailed')}
            detail={error.message}
            action={<Button onClick={() => void refetch()}>{t('action.retry')}</Button>}
          />
        ) : (
          <Loading />
        ))}
      {execution && (
        <ExecutionTab
          tab={tab}
          execution={execution}
          isLive={isLive}
          selectedId={search.taskRunId}
          onSelect={select}
          search={search}
          keep={keep}
        />
      )}
      {execution && action && (
        <ExecutionActionDialog
          action={action}
          execution={execution}
          onClose={() => setAction(undefined)}
          onDeleted={() => void navigate({ to: '/{-$tenant}/executions', search: {} })}
        />
      )}
      {execution && search.preview !== undefined && (
        <Suspense>
          <FilePreview executionId={id} uri={search.preview} onClose={() => keep({ preview: undefined })} />
        </Suspense>
      )}
      {isExecuting && (
        <ExecuteDialog
          namespace={namespace}
          flowId={flowId}
          like={execution}
          onClose={() => setExecuting(false)}
        />
      )}
    </Page>
  );
}

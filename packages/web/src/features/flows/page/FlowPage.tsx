import { Button } from '@mantine/core';
import { logs } from '@millrace/contract';
import { IconArrowBackUp, IconBolt, IconLock, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, linkOptions, Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Suspense, useEffectEvent, useLayoutEffect, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { callAsJob, trackJob } from '../../../shell/notices/trackedJobs.ts';
import { showError, showSuccess } from '../../../shell/toasts.ts';
import {
  BrokenPart,
  confirm,
  DotsPlaceholder,
  LinkButton,
  Loading,
  Page,
  TabBar,
} from '../../../ui/index.ts';
import { lazyPart } from '../../../ui/lazyPart.tsx';
import { ExecuteDialog } from '../../executions/index.ts';
import { takeHandedRun } from '../edit/handedText.ts';
import {
  dependenciesQuery,
  type FlowKey,
  type FlowQueryData,
  flowQuery,
  isReadOnly,
  useSaveFlow,
} from '../queries.ts';
import { useConfirmDelete } from '../useConfirmDelete.tsx';
import styles from './FlowPage.module.css';
import { FlowTab, fillsPage, flowTabs } from './FlowTab.tsx';

const FlowMenu = lazyPart(() => import('./FlowMenu.tsx'), 'FlowMenu');

const path = '/{-$tenant}/flows/edit/$namespace/$id/{-$tab}';

export function FlowPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { namespace, id, tab: asked } = useParams({ from: path });
  const { data: flow, error, refetch } = useQuery(flowQuery({ namespace, id }));
  const { execute, inputs } = useSearch({ from: path });
  const [executing, setExecuting] = useState<'asked' | 'quick' | undefined>(execute ? 'asked' : undefined);
  const takeRun = useEffectEvent(() => {
    const run = takeHandedRun({ namespace, id });
    if (run) setExecuting(run.isQuick ? 'quick' : 'asked');
  });
  useLayoutEffect(() => takeRun(), []);
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
  const close = () => {
    setExecuting(undefined);
    // A reload must not open the dialog of the link again.
    if (execute)
      void navigate({
        to: '.',
        search: (old) => ({ ...old, execute: undefined, inputs: undefined }),
        replace: true,
      });
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
              onClick={() => setExecuting('asked')}
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
        <FlowTab
          tab={tab}
          flow={flow}
          actions={tabActions}
          onExecute={(isQuick) => canRun && setExecuting(isQuick ? 'quick' : 'asked')}
        />
      )}
      {executing && (
        <ExecuteDialog
          namespace={namespace}
          flowId={id}
          linkedInputs={inputs}
          isQuick={executing === 'quick'}
          onClose={close}
        />
      )}
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

/** Deletes every log entry of a flow, after a question. */
function DeleteLogsButton({ namespace, id }: FlowKey) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const deletion = useMutation({
    mutationFn: () => callAsJob(logs.deleteFlowLogs, { params: { namespace, flowId: id } }),
    onSuccess: (result) => {
      const changes = ['logs', 'stats'];
      if ('jobId' in result)
        trackJob({ id: result.jobId, title: t('flow.deleteLogsTitle', { id }), changes });
      else showSuccess(t('flow.logsDeleted', { id }));
      return Promise.all(changes.map((key) => client.invalidateQueries({ queryKey: [key] })));
    },
  });
  const ask = async () => {
    const agreed = await confirm({
      title: t('flow.deleteLogsTitle', { id }),
      body: t('flow.deleteLogsText'),
      confirm: t('flow.deleteLogs'),
      cancel: t('action.cancel'),
      dangerous: true,
    });
    if (agreed) deletion.mutate();
  };
  return (
    <Button
      variant="default"
      leftSection={<IconTrash size={16} stroke={1.7} />}
      loading={deletion.isPending}
      onClick={() => void ask()}
    >
      {t('flow.deleteLogs')}
    </Button>
  );
}

/** Brings a deleted flow back: its last source becomes a new revision. */
function RestoreButton({ flow }: { flow: FlowQueryData }) {
  const { t } = useTranslation();
  const save = useSaveFlow();
  return (
    <Button
      leftSection={<IconArrowBackUp size={16} stroke={1.7} />}
      loading={save.isPending}
      onClick={() =>
        save.mutate(
          { source: withoutDeletedMark(flow.source ?? '') },
          {
            onSuccess: ({ id, revision }) => showSuccess(t('flow.restored', { id, revision })),
            onError: showError,
          },
        )
      }
    >
      {t('flow.restore')}
    </Button>
  );
}

/** Exports of other products carry the mark in the text. */
const withoutDeletedMark = (source: string): string => source.replace(/^deleted: *true *\n?/m, '');

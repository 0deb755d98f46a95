import { Button } from '@mantine/core';
import type { Execution } from '@millrace/contract';
import { IconBolt, IconGitCompare, IconHistory } from '@tabler/icons-react';
import { Link, linkOptions, Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Suspense, useCallback, useState } from 'react';
import { useFollowedExecution } from '../../../api/follow.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { afterPaint } from '../../../ui/afterPaint.ts';
import {
  CopyButton,
  DotsPlaceholder,
  EmptyState,
  LinkButton,
  Loading,
  Page,
  TabBar,
} from '../../../ui/index.ts';
import { lazyPart, Nothing } from '../../../ui/lazyPart.tsx';
import { FlowLink } from '../../flows/index.ts';
import {
  actionIcons,
  type ExecutionAction,
  primaryActionIn,
  prominentActionsIn,
} from '../actions/executionActions.ts';
import { acrossTabs, type SetSearch } from '../search.ts';
import { AtMoment, PastProvider } from '../timeTravel/past.tsx';
import { ExecutionSummary } from './ExecutionSummary.tsx';
import { ExecutionTab, tabs } from './ExecutionTab.tsx';

const ExecuteDialog = lazyPart(() => import('../execute/ExecuteDialog.tsx'), 'ExecuteDialog', Nothing);
const ExecutionActionDialog = lazyPart(
  () => import('../actions/ExecutionActionDialog.tsx'),
  'ExecutionActionDialog',
  Nothing,
);

const ExecutionMenu = lazyPart(
  () => afterPaint().then(() => import('../actions/ExecutionMenu.tsx')),
  'ExecutionMenu',
);

const TimeScrubber = lazyPart(() => import('../timeTravel/TimeScrubber.tsx'), 'TimeScrubber', Nothing);

const FilePreview = lazyPart(() => import('../files/FilePreview.tsx'), 'FilePreview');

const from = '/{-$tenant}/executions/$namespace/$flowId/$id/{-$tab}';

export function ExecutionPage() {
  return (
    <PastProvider>
      <ExecutionParts />
    </PastProvider>
  );
}

function ExecutionParts() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { namespace, flowId, id, tab: asked } = useParams({ from });
  const search = useSearch({ from });
  const { data: execution, error, refetch, isLive, isConnected } = useFollowedExecution(id);
  const [isExecuting, setExecuting] = useState(false);
  const [action, setAction] = useState<ExecutionAction>();
  // A link to a moment shows nothing of the present first.
  const [isMomentLink] = useState(search.at !== undefined);
  const isMomentAwaited = isMomentLink && search.at !== undefined;
  // The same function all the time: each line of a log knows it.
  const keep = useCallback<SetSearch>(
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
  const primary = execution && primaryActionIn(execution.state.current);

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
          {execution?.state.current === 'FAILED' && (
            <LinkButton
              variant="default"
              leftSection={<IconGitCompare size={16} stroke={1.7} />}
              to="/{-$tenant}/executions/compare"
              search={{ right: id }}
              title={t('compare.withLastSuccess')}
            >
              {t('compare.open')}
            </LinkButton>
          )}
          {execution &&
            prominentActionsIn(execution.state.current)
              .filter((name) => name !== primary)
              .map((name) => <ActionButton key={name} name={name} variant="default" onChoose={setAction} />)}
          {execution && search.at === undefined && (
            <Button
              variant="default"
              leftSection={<IconHistory size={16} stroke={1.7} />}
              onClick={() => keep({ at: lastChangeOf(execution) })}
            >
              {t('timeTravel.open')}
            </Button>
          )}
          <Button
            variant={primary ? 'default' : 'filled'}
            leftSection={<IconBolt size={16} />}
            onClick={() => setExecuting(true)}
          >
            {t('execution.again')}
          </Button>
          {primary && <ActionButton name={primary} variant="filled" onChoose={setAction} />}
        </>
      }
      tabs={
        <>
          {execution ? (
            <AtMoment execution={execution} awaited={isMomentAwaited ? summarySpace : undefined}>
              {(shown) => <ExecutionSummary execution={shown} isConnected={isConnected} />}
            </AtMoment>
          ) : (
            summarySpace
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
      {execution && search.at !== undefined && (
        <Suspense fallback={<div style={{ height: 64 }} />}>
          <TimeScrubber execution={execution} at={search.at} keep={keep} />
        </Suspense>
      )}
      {execution && (
        <AtMoment execution={execution} awaited={isMomentAwaited ? null : undefined}>
          {(shown, isPast) => (
            <ExecutionTab
              tab={tab}
              execution={shown}
              isLive={isLive && !isPast}
              selectedId={search.taskRunId}
              onSelect={select}
              search={search}
              keep={keep}
            />
          )}
        </AtMoment>
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

function ActionButton({
  name,
  variant,
  onChoose,
}: {
  name: ExecutionAction;
  variant: 'default' | 'filled';
  onChoose: (name: ExecutionAction) => void;
}) {
  const { t } = useTranslation();
  const Icon = actionIcons[name];
  return (
    <Button variant={variant} leftSection={<Icon size={16} stroke={1.7} />} onClick={() => onChoose(name)}>
      {t(`executionAction.${name}.name`)}
    </Button>
  );
}

const summarySpace = <div style={{ height: 54 }} />;

/** The moment at which time travel begins: nothing has changed since. */
const lastChangeOf = ({ state, taskRunList = [] }: Execution): string =>
  taskRunList.reduce((last, run) => {
    const date = run.state.histories.at(-1)?.date ?? last;
    return date > last ? date : last;
  }, state.histories.at(-1)?.date ?? state.startDate);

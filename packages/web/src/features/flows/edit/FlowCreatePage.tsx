import { blueprints, type Issue } from '@millrace/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { call } from '../../../api/call.ts';
import { currentTenant } from '../../../api/tenant.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { showSuccess } from '../../../shell/toasts.ts';
import { usePageKeys } from '../../../shell/usePageKeys.ts';
import { useUnsavedGuard } from '../../../shell/useUnsavedGuard.ts';
import { announcePage } from '../../../state/continuation.ts';
import { readStored } from '../../../storage/storage.ts';
import { announceContinuation } from '../../../ui/code/continueTyping.ts';
import { DraftNote } from '../../../ui/DraftNote.tsx';
import { BrokenPart, confirm, Loading, Page } from '../../../ui/index.ts';
import { FLOW_PATH, FlowEditor, keepLayoutOfNewFlow, pageOf } from '../../editor/index.ts';
import { preloadTab } from '../page/loadTab.ts';
import { type FlowKey, type FlowQueryData, flowQuery } from '../queries.ts';
import styles from './FlowEditTab.module.css';
import {
  dropFlowDraft,
  listFlowDrafts,
  type StoredDraft,
  useSaveFlowDraft,
  writeFlowDraft,
} from './flowDraft.ts';
import { beginHandOver, handOn, handRun, handSave } from './handedText.ts';
import { identityOf, renameFlow } from './keepIdentity.ts';
import { SaveButton, SaveNote } from './SaveButton.tsx';
import { isTaken, refusesSource, showSaveFailure, useFlowSave } from './useFlowSave.ts';

const firstFlow = (namespace: string) => `id: hello_world
namespace: ${namespace}

tasks:
  - id: hello
    type: core.log.Log
    message: Hello World!
`;

/** A new flow: a first one to change, the source of a blueprint, or another flow to begin with. */
export function FlowCreatePage() {
  const {
    namespace = readStored('defaultNamespace') ?? 'company.team',
    blueprintId,
    copyOf,
  } = useSearch({ from: '/{-$tenant}/flows/new' });
  const original = useQuery({ ...originalOf(copyOf), enabled: copyOf !== undefined });
  const blueprint = useQuery({
    queryKey: ['blueprints', currentTenant(), 'flow', blueprintId, 'source'],
    queryFn: ({ signal }) =>
      call(blueprints.getBlueprintSource, { params: { kind: 'flow', id: blueprintId ?? '' }, signal }),
    enabled: blueprintId !== undefined,
  });
  const asked = [blueprint, original].find(({ isLoading, isError }) => isLoading || isError);
  // Another text in its place would be taken for what was asked for.
  if (asked?.error) return <BrokenPart error={asked.error} onRetry={() => void asked.refetch()} />;
  if (asked) return <Loading />;
  const initial = blueprint.data ?? copyNamed(original.data) ?? firstFlow(namespace);
  return <NewFlow key={blueprintId ?? copyOf} initial={initial} />;
}

function originalOf(copyOf = '') {
  const [namespace = '', id = ''] = copyOf.split('/');
  return flowQuery({ namespace, id });
}

/** The source of the flow to copy, under an id that is most likely free. */
const copyNamed = (flow: FlowQueryData | undefined): string | undefined =>
  flow?.source && renameFlow(flow.source, `${flow.id}-copy`);

/** The flow once it is saved, and the text that was. */
interface Opened {
  readonly flow: FlowQueryData;
  readonly text: string;
}

function NewFlow({ initial }: { initial: string }) {
  const { t } = useTranslation();
  const router = useRouter();
  const client = useQueryClient();
  const [source, setSource] = useState(initial);
  const [issues, setIssues] = useState<Issue[]>([]);
  const save = useFlowSave();
  const [isDone, setDone] = useState(false);
  const isLeaving = useRef(false);
  const [drafts, setDrafts] = useState(() => listFlowDrafts());
  const isUnsaved = source !== initial && !isDone;
  const newest = useRef(source);
  newest.current = source;
  /** The flow is to be executed as soon as it is saved. */
  const wantsRun = useRef(false);
  /** The text that the author asked to save while an earlier one was being saved. */
  const wanted = useRef<string>(undefined);
  const opened = useRef<Opened>(undefined);

  const draft = useSaveFlowDraft({ draft: isUnsaved ? { source } : undefined });
  useUnsavedGuard(
    () => isUnsaved && !isLeaving.current,
    () => {
      isLeaving.current = true;
      draft.keep();
    },
    { parameters: ['blueprintId', 'copyOf'], text: t('draft.leave') },
  );
  /** A text that was changed since it was saved is a reason to ask. */
  const handRunOf = ({ flow: { namespace, id }, text }: Opened) =>
    handRun({ namespace, id, isQuick: newest.current === text });
  const open = (flow: FlowQueryData) => {
    isLeaving.current = true;
    opened.current = { flow, text: source };
    setDone(true);
    dropFlowDraft(draft.key);
    keepLayoutOfNewFlow(flow);
    beginHandOver(flow, newest.current);
    if (newest.current !== source) handOn(newest.current);
    if (wanted.current !== undefined && wanted.current !== source) handSave();
    announceContinuation(FLOW_PATH, newest.current);
    announcePage(pageOf(flow));
    if (wantsRun.current) handRunOf(opened.current);
    showSuccess(t('flow.saved', { id: flow.id, revision: flow.revision }));
    const page = {
      to: '/{-$tenant}/flows/edit/$namespace/$id/{-$tab}',
      params: { namespace: flow.namespace, id: flow.id, tab: 'edit' },
      search: {},
    } as const;
    // Until the page is loaded the author types here: a page that loads would take the keys.
    void Promise.allSettled([router.preloadRoute(page), preloadTab('edit')]).then(() => {
      const { element } = router.state.location.search;
      return router.navigate({ ...page, search: { element }, replace: true });
    });
  };
  const askToOverwrite = async () => {
    const key = identityOf(source);
    const agreed = await confirm({
      title: t('flow.existsTitle'),
      body: t('flow.existsText', { ...key }),
      confirm: t('flow.overwrite'),
      cancel: t('action.cancel'),
      dangerous: true,
    });
    if (agreed) await saveAs(key);
  };
  const saveAs = async (key?: FlowKey) => {
    try {
      const saved = await save.save(key ? { source, key, baseRevision: await latestOf(key) } : { source });
      if (saved) open(saved);
    } catch (error) {
      if (!key && error instanceof Error && isTaken(error)) await askToOverwrite();
      else showSaveFailure(error as Error, t); // What `call` rejects with.
    }
  };
  const latestOf = async (key: FlowKey) =>
    (await client.fetchQuery({ ...flowQuery(key), staleTime: 0 })).revision;
  const trySave = (isRun = false) => {
    if (isRun) wantsRun.current = true;
    // The page of the flow is about to open.
    if (opened.current) {
      if (isRun) handRunOf(opened.current);
      else if (newest.current !== opened.current.text) handSave();
      return;
    }
    if (save.status.is === 'waiting') save.tryNow();
    if (save.status.is !== 'idle') {
      wanted.current = newest.current;
      return;
    }
    wantsRun.current = isRun;
    if (!refusesSource(issues, t)) void saveAs();
  };
  usePageKeys([
    ['mod+S', () => trySave()],
    ['mod+E', () => trySave(true)],
  ]);

  const offered = drafts.find((one) => one.source !== source);
  const discard = ({ key }: StoredDraft) => {
    dropFlowDraft(key);
    setDrafts((known) => known.filter((one) => one.key !== key));
  };
  /** The text of the editor and the draft change places, so that neither is lost. */
  const restore = (other: StoredDraft) => {
    writeFlowDraft(draft.key, other);
    discard(other);
    if (isUnsaved) {
      writeFlowDraft(other.key, { source });
      setDrafts((known) => [{ ...other, source, at: new Date().toISOString() }, ...known]);
    }
    setSource(other.source);
  };

  return (
    <Page
      title={t('flow.new')}
      layout="fill"
      breadcrumb={[
        <Link key="flows" to="/{-$tenant}/flows" search={{}}>
          {t('nav.flows')}
        </Link>,
      ]}
      actions={
        <SaveButton
          issues={issues}
          isDirty
          isSaving={save.status.is === 'saving'}
          onSave={() => trySave()}
          primary
        />
      }
    >
      <div className={styles.edit}>
        <SaveNote status={save.status} onTryNow={save.tryNow} onStop={save.stop} />
        {offered && (
          <DraftNote
            text={t('draft.found')}
            at={offered.at}
            onRestore={() => restore(offered)}
            onDiscard={() => discard(offered)}
          />
        )}
        <FlowEditor
          source={source}
          onChange={(text) => {
            isLeaving.current = false;
            setSource(text);
            if (opened.current) handOn(text);
          }}
          onSave={() => trySave()}
          onIssues={setIssues}
          height="100%"
        />
      </div>
    </Page>
  );
}

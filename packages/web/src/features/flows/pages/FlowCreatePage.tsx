import { useHotkeys } from '@mantine/hooks';
import { blueprints, type Issue } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { currentTenant } from '../../../api/tenant.ts';
import { showSuccess } from '../../../shell/toasts.ts';
import { useUnsavedGuard } from '../../../shell/useUnsavedGuard.ts';
import { readStored } from '../../../storage/storage.ts';
import { BrokenPart, confirm, Loading, Page } from '../../../ui/index.ts';
import { FlowEditor } from '../../editor/index.ts';
import { DraftNote } from '../components/DraftNote.tsx';
import styles from '../components/FlowEditTab.module.css';
import { SaveButton } from '../components/SaveButton.tsx';
import { dropFlowDraft, readFlowDraft, useKeepFlowDraft } from '../flowDraft.ts';
import { identityOf, renameFlow } from '../keepIdentity.ts';
import { type FlowQueryData, flowQuery, useSaveFlow } from '../queries.ts';
import { isTaken, refusesSource, showSaveFailure } from '../saveProblems.ts';

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

function NewFlow({ initial }: { initial: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [source, setSource] = useState(initial);
  const [issues, setIssues] = useState<Issue[]>([]);
  const save = useSaveFlow();
  const isDone = useRef(false);
  const [draft, setDraft] = useState(readFlowDraft);
  const isUnsaved = () => source !== initial && !isDone.current;

  const keepDraft = useKeepFlowDraft(source, isUnsaved);
  useUnsavedGuard(isUnsaved, () => {
    keepDraft();
    setSource(initial);
  }, ['blueprintId', 'copyOf']);

  const open = ({ namespace, id, revision }: FlowQueryData) => {
    isDone.current = true;
    dropFlowDraft();
    showSuccess(t('flow.saved', { id, revision }));
    void navigate({
      to: '/{-$tenant}/flows/edit/$namespace/$id/{-$tab}',
      params: { namespace, id, tab: 'edit' },
      search: {},
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
    if (agreed)
      save.mutate({ source, key }, { onSuccess: open, onError: (error) => showSaveFailure(error, t) });
  };
  const trySave = () => {
    if (refusesSource(issues, t) || save.isPending) return;
    save.mutate(
      { source },
      {
        onSuccess: open,
        onError: (error) => (isTaken(error) ? void askToOverwrite() : showSaveFailure(error, t)),
      },
    );
  };
  useHotkeys([['mod+S', trySave]], []);

  return (
    <Page
      title={t('flow.new')}
      layout="fill"
      breadcrumb={[
        <Link key="flows" to="/{-$tenant}/flows" search={{}}>
          {t('nav.flows')}
        </Link>,
      ]}
      actions={<SaveButton issues={issues} isDirty isSaving={save.isPending} onSave={trySave} primary />}
    >
      <div className={styles.edit}>
        {draft && draft.source !== source && (
          <DraftNote
            draft={draft}
            onRestore={() => {
              setSource(draft.source);
              setDraft(undefined);
            }}
            onDiscard={() => {
              if (!isUnsaved()) dropFlowDraft();
              setDraft(undefined);
            }}
          />
        )}
        <FlowEditor
          source={source}
          onChange={setSource}
          onSave={trySave}
          onIssues={setIssues}
          height="100%"
        />
      </div>
    </Page>
  );
}

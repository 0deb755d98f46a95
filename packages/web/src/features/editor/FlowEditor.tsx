import { useHotkeys } from '@mantine/hooks';
import type { Flow, FlowGraph, GraphNode, Issue } from '@millrace/contract';
import { parseFlow } from '@millrace/engine';
import { useNavigate, useSearch } from '@tanstack/react-router';
import {
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useTextHistory } from '../../state/useTextHistory.ts';
import { useSetting } from '../../storage/settings.ts';
import { useStored, writeStored } from '../../storage/storage.ts';
import { Loading } from '../../ui/Loading.tsx';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { Panels } from '../../ui/Panels.tsx';
import { SplitPane } from '../../ui/SplitPane.tsx';
import { BlueprintBrowser } from '../blueprints/index.ts';
import { type DryRunShown, DryRunSide } from '../dryRun/index.ts';
import { useGraphEditing } from '../graphEditor/index.ts';
import { FilesView, flowTab, type OpenFiles } from '../namespaces/index.ts';
import { PluginHelp } from '../plugins/index.ts';
import { Topology } from '../topology/index.ts';
import {
  type EditorSide,
  type EditorView,
  firstSide,
  firstView,
  rememberSide,
  rememberView,
} from './editorView.ts';
import { FlowCode } from './FlowCode.tsx';
import styles from './FlowEditor.module.css';
import { useLanguage } from './language/useLanguage.ts';
import { Problems } from './Problems.tsx';
import { withProductTerms } from './productTerms.ts';
import { mergeIssues, readValidation } from './readValidation.ts';
import { lineOfTask, taskAt, taskAtLine, writtenTaskAt } from './taskAt.ts';
import { useFlowSchema } from './useFlowSchema.ts';
import { useParsedFlow } from './useParsedFlow.ts';
import { useServerIssues } from './useServerIssues.ts';
import { ViewSwitch } from './ViewSwitch.tsx';

const NoCodeEditor = lazyPart(() => import('../forms/index.ts'), 'NoCodeEditor');

interface FlowEditorProps {
  readonly source: string;
  onChange(source: string): void;
  readonly readOnly?: boolean | undefined;
  /** The flow is stored: its id and its namespace stay. */
  readonly isSaved?: boolean | undefined;
  readonly onSave?: (() => void) | undefined;
  readonly onIssues?: ((issues: Issue[]) => void) | undefined;
  /** The files of the flow's namespace, once it has one. */
  readonly files?: OpenFiles | undefined;
  /** Something in the text is not saved. */
  readonly isDirty?: boolean | undefined;
  readonly height?: string | number | undefined;
}

/** The task or trigger that is worked on; its type, where the text says it. */
interface Selected {
  readonly id: string | undefined;
  readonly type?: string | undefined;
}

/** A flow as text or as forms, and as a picture, side by side and in step, with what is wrong below. */
export function FlowEditor({
  source,
  onChange,
  readOnly,
  isSaved,
  onSave,
  onIssues,
  files,
  isDirty = false,
  height = '100%',
}: FlowEditorProps) {
  const { t } = useTranslation();
  const history = useTextHistory(source, onChange);
  const read = useParsedFlow(source);
  const server = useServerIssues(source);
  const schema = useFlowSchema(source);
  const language = useLanguage({
    source,
    namespace: read.parsed.flow?.namespace ?? '',
    id: read.parsed.flow?.id ?? '',
    types: schema.types,
  });
  const hasPanels = useSetting('multiPanelEditor');
  const { view, side, show, choose, chooseSide, element, openElement } = useEditorPlace();
  // A link to a file shows it.
  const hasFiles = useStored('editorFiles') === 'true' || files?.active !== undefined;
  const [shown, setShown] = useState<{ readonly id: string }>();
  const [selected, setSelected] = useState<Selected>({ id: undefined });
  const [revealLine, setRevealLine] = useState<number>();
  const [dryRun, setDryRun] = useState<DryRunShown>();

  const lastIssues = useRef<Issue[]>([]);
  const issues = useMemo(() => {
    const { issues: local, markOf } = read.parsed;
    const deprecated = (path: string) => t('editor.deprecated', { path });
    const found = server.validation ? readValidation(server.validation, { markOf, deprecated }) : [];
    const merged = mergeIssues([...local, ...language.issues], found).map((issue) =>
      withProductTerms(issue, t),
    );
    // A cache, not state: equal issues keep their identity, so that components do not render again.
    lastIssues.current = keepIssues(lastIssues.current, merged);
    return lastIssues.current;
  }, [read.parsed, server.validation, language.issues, t]);
  const report = useEffectEvent((found: Issue[]) => onIssues?.(found));
  useEffect(() => report(issues), [issues]);

  const followCursor = (line: number, column: number) => {
    if (line !== revealLine) setRevealLine(undefined);
    const written = writtenTaskAt(source, line);
    const id = read.parsed.flow ? taskAt(read.source, read.parsed, line, column) : written?.id;
    const type = written?.id === id ? written?.type : undefined;
    setSelected((known) => (known.id === id && known.type === type ? known : { id, type }));
  };
  // The graph gets a stable function: a new one after each keystroke would render all of it again.
  const latest = useRef(read);
  useEffect(() => {
    latest.current = read;
  }, [read]);
  const revealNode = useCallback((node: GraphNode) => {
    const id = node.task?.id ?? node.triggerDeclaration?.id;
    if (id === undefined) return;
    setSelected({ id });
    setShown({ id });
    setRevealLine(lineOfTask(latest.current.source, latest.current.parsed, id));
  }, []);
  const editing = useGraphEditing({
    source,
    history,
    schema,
    issues,
    readOnly,
    selectedId: selected.id,
    onSelect: (id) => {
      setSelected({ id });
      // The graph has just changed the text; what was read is still the text before.
      const text = history.latest();
      setRevealLine(lineOfTask(text, parseFlow(text), id));
    },
    onOpen: view === 'NO_CODE' && !hasPanels ? (id) => setShown({ id }) : undefined,
  });
  const jump = useStableCallback((line: number) => {
    if (hasPanels) {
      const found = taskAtLine(read.source, read.parsed, line);
      if (found !== undefined) setShown({ id: found });
      setRevealLine(line);
      return;
    }
    const id = view === 'NO_CODE' ? taskAtLine(read.source, read.parsed, line) : undefined;
    if (id !== undefined) return setShown({ id });
    // What no form is about is shown where it is written.
    show('YAML');
    setRevealLine(line);
  });
  const chooseView = useStableCallback(choose);
  const chooseBeside = useStableCallback(chooseSide);
  const showFiles = useStableCallback((isShown: boolean) => {
    writeStored('editorFiles', isShown ? 'true' : undefined);
    if (!isShown) files?.onShow(undefined);
  });
  useHotkeys([['alt+Enter', () => !hasPanels && chooseSide(side === 'dryRun' ? 'topology' : 'dryRun')]], []);
  const viewSwitch = hasPanels ? undefined : (
    <ViewSwitch
      view={view}
      onView={chooseView}
      side={side}
      onSide={chooseBeside}
      hasFiles={files && hasFiles}
      onFiles={showFiles}
    />
  );
  const code = (
    <FlowCode
      source={source}
      past={history.past}
      future={history.future}
      onChange={(text) => history.write(text, 'text')}
      readOnly={readOnly}
      onSave={onSave}
      onCursor={followCursor}
      revealLine={revealLine}
      issues={issues}
      schema={schema.data}
      notes={dryRun?.notes}
      onLanguage={language.use}
      bar={viewSwitch}
    />
  );
  const opening = (
    <>
      {viewSwitch && <div className={styles.bar}>{viewSwitch}</div>}
      <Loading />
    </>
  );
  const noCode = (
    <Suspense fallback={opening}>
      <NoCodeEditor
        source={source}
        history={history}
        readOnly={readOnly}
        isSaved={isSaved}
        issues={issues}
        schema={schema}
        bar={viewSwitch}
        shown={shown}
        onShow={(id) => setSelected({ id })}
        element={element}
        onElement={openElement}
      />
    </Suspense>
  );
  const graph = (
    <div id="topology" className={styles.graph}>
      {read.graph ? (
        <Topology
          graph={read.graph}
          execution={dryRun?.execution}
          selectedTaskId={selected.id}
          onSelect={revealNode}
          editing={editing.layer}
        />
      ) : (
        <p className={styles.noGraph}>{t('editor.noGraph')}</p>
      )}
      {read.isOldGraph && (
        <p className={styles.note} role="status">
          {t('editor.lastGood')}
        </p>
      )}
      {editing.sheet}
    </div>
  );
  const inEditor = (content: ReactNode) => (
    <div id="editor" className={styles.code}>
      {content}
    </div>
  );
  const help = (
    <Suspense fallback={<Loading />}>
      <PluginHelp type={selected.type ?? typeOf(read.graph, selected.id)} />
    </Suspense>
  );

  const blueprints = (
    <Suspense fallback={<Loading />}>
      <BlueprintBrowser />
    </Suspense>
  );
  const dryRunWith = (drawn: ReactNode) => (
    <Suspense fallback={<Loading />}>
      <DryRunSide
        source={source}
        flow={flowName(read.parsed.flow)}
        isSaved={isSaved}
        graph={drawn}
        onShown={setDryRun}
        onJump={jump}
      />
    </Suspense>
  );
  const besides = {
    none: undefined,
    topology: graph,
    dryRun: dryRunWith(graph),
    documentation: help,
    blueprints,
  };
  const main = inEditor(view === 'YAML' ? code : noCode);
  const classic =
    side === 'none' ? (
      main
    ) : (
      <SplitPane name="flow-editor" defaultPercent={55} start={main} end={besides[side]} />
    );
  const filesOf = (open: OpenFiles, flow?: { content: ReactNode }) => (
    <Suspense fallback={flow?.content ?? <Loading />}>
      <FilesView
        name="flow-files"
        files={open}
        flow={flow && { ...flow, tab: flowTab(t('editor.flowTab'), isDirty) }}
        onSave={onSave}
      />
    </Suspense>
  );

  return (
    <div className={styles.editor} style={{ height }}>
      <div className={styles.body} data-view={hasPanels ? 'PANELS' : view} data-side={side}>
        {hasPanels ? (
          <Panels
            name="flow-editor"
            initial={[view === 'YAML' ? 'code' : 'noCode', 'topology']}
            panels={[
              ...(files ? [{ id: 'files', title: t('panels.files'), content: filesOf(files) }] : []),
              { id: 'code', title: t('panels.code'), content: inEditor(code) },
              { id: 'noCode', title: t('panels.noCode'), content: noCode },
              { id: 'topology', title: t('panels.topology'), content: graph },
              { id: 'dryRun', title: t('dryRun.title'), content: dryRunWith(undefined) },
              { id: 'help', title: t('panels.help'), content: help },
              { id: 'blueprints', title: t('panels.blueprints'), content: blueprints },
            ]}
          />
        ) : files && hasFiles ? (
          filesOf(files, { content: classic })
        ) : (
          classic
        )}
      </div>
      <Problems issues={issues} server={server.status} onJump={jump} />
    </div>
  );
}

/** The flow that a text names, once it names one. */
function flowName(flow: Flow | undefined): { namespace: string; id: string } | undefined {
  return flow?.id && flow.namespace ? { namespace: flow.namespace, id: flow.id } : undefined;
}

/** The type of a task or a trigger, as the graph of the flow knows it. */
function typeOf(graph: FlowGraph | undefined, id: string | undefined): string | undefined {
  const node = graph?.nodes.find(
    ({ task, triggerDeclaration }) => id !== undefined && (task?.id ?? triggerDeclaration?.id) === id,
  );
  return node?.task?.type ?? node?.triggerDeclaration?.type;
}

/** The issues as they were found before, where they are equal: what shows them need not be drawn for each keystroke. */
const keepIssues = (before: Issue[], found: Issue[]): Issue[] =>
  JSON.stringify(before) === JSON.stringify(found) ? before : found;

interface EditorSearch {
  readonly editor?: EditorView | undefined;
  readonly side?: EditorSide | undefined;
  readonly element?: string | undefined;
}

/**
 * How a flow is edited and what stands beside it: as the address says, else as it was chosen last. The form that is
 * open is in the address only.
 */
function useEditorPlace() {
  const search: EditorSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const [usual] = useState(() => ({ view: firstView(), side: firstSide() }));
  const keep = (part: EditorSearch, replace: boolean) =>
    // `as`: the editor is inside several routes, whose schemas know these three.
    void navigate({ to: '.', search: ((old: object) => ({ ...old, ...part })) as never, replace });
  return {
    view: search.editor ?? usual.view,
    side: search.side ?? usual.side,
    element: search.element,
    /** For now only: the next flow opens in the view that was chosen last. */
    show: (editor: EditorView) => keep({ editor }, true),
    choose: (editor: EditorView) => {
      rememberView(editor);
      keep({ editor }, true);
    },
    chooseSide: (side: EditorSide) => {
      rememberSide(side);
      keep({ side }, true);
    },
    /** A step deeper, so that going back comes out again. */
    openElement: (element: string | undefined) => keep({ element }, false),
  };
}

/**
 * The same function all the time, which does what the newest one does: a part that is given it need not be drawn again
 * because something around it was. For what people do, not for use while drawing.
 */
function useStableCallback<Args extends unknown[]>(act: (...args: Args) => void): (...args: Args) => void {
  const newest = useRef(act);
  useLayoutEffect(() => {
    newest.current = act;
  });
  return useCallback((...args: Args) => newest.current(...args), []);
}

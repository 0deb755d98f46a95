import { useHotkeys } from '@mantine/hooks';
import type { Flow, FlowGraph, GraphNode, Issue } from '@millrace/contract';
import { parseFlow } from '@millrace/engine';
import { type ReactNode, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { useContinuedFocus } from '../../state/continuation.ts';
import { useStableCallback } from '../../state/useStableCallback.ts';
import { useTextHistory } from '../../state/useTextHistory.ts';
import { useStored, writeStored } from '../../storage/storage.ts';
import { Loading } from '../../ui/Loading.tsx';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { SplitPane } from '../../ui/page/SplitPane.tsx';
import { Panels } from '../../ui/panels/Panels.tsx';
import { BlueprintBrowser } from '../blueprints/index.ts';
import { type DryRunShown, DryRunSide } from '../dryRun/index.ts';
import { useGraphEditing } from '../graphEditor/index.ts';
import { FilesView, flowTab, type OpenFiles } from '../namespaces/index.ts';
import { PluginHelp } from '../plugins/index.ts';
import { Topology } from '../topology/index.ts';
import { EditorPart } from './EditorPart.tsx';
import { FlowCode } from './FlowCode.tsx';
import styles from './FlowEditor.module.css';
import { mergeIssues, readValidation, useServerIssues, withProductTerms } from './issues.ts';
import { Problems } from './Problems.tsx';
import { lineOfTask, taskAt, taskAtLine, writtenTaskAt } from './taskAt.ts';
import { useEditorPanels } from './useEditorPanels.tsx';
import { useFlowSchema } from './useFlowSchema.ts';
import { useLanguage } from './useLanguage.ts';
import { type ReadFlow, useParsedFlow } from './useParsedFlow.ts';
import { usePlayground } from './usePlayground.tsx';
import { pageOf, useEditorPlace, ViewSwitch } from './ViewSwitch.tsx';

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
  /** The flow whose layout is remembered; a new flow has none yet. */
  readonly layoutOf?: { readonly namespace: string; readonly id: string } | undefined;
  readonly height?: string | number | undefined;
}

/** The task or trigger that is worked on; its type, where the text says it. */
interface Selected {
  readonly id: string | undefined;
  readonly type?: string | undefined;
  /** The task at the cursor or above it, for what is inserted there. */
  readonly near?: string | undefined;
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
  layoutOf,
  height = '100%',
}: FlowEditorProps) {
  const { t } = useTranslation();
  const page = layoutOf && pageOf(layoutOf);
  const root = useRef<HTMLDivElement>(null);
  useContinuedFocus(root, page);
  const history = useTextHistory(source, onChange, page);
  const read = useParsedFlow(source);
  const server = useServerIssues(source);
  const schema = useFlowSchema(source);
  const language = useLanguage({
    source,
    namespace: read.parsed.flow?.namespace ?? '',
    id: read.parsed.flow?.id ?? '',
    types: schema.types,
  });
  const { view, side, show, choose, chooseSide, element, openElement } = useEditorPlace();
  const panels = useEditorPanels({ flow: layoutOf, view, hasFiles: files !== undefined, isDirty });
  const hasPanels = panels.isShown;
  // A link to a file shows it.
  const hasFiles = useStored('editorFiles') === 'true' || files?.active !== undefined;
  const [shown, setShown] = useState<{ readonly id: string }>();
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

  /** Where the user works: at the cursor, or at a task that was chosen elsewhere, until the cursor moves. */
  const [place, setPlace] = useState<Place>();
  // Computed, not stored: a key that changes the id of a task moves the text, the graph and the selection in one rendering.
  const selected = useMemo(() => selectedAt(place, source, read), [place, source, read]);
  const followCursor = (line: number, column: number) => {
    if (line !== revealLine) setRevealLine(undefined);
    const next = { line, column };
    // A move within a task changes nothing that is shown.
    if (history.latest() === source && isSame(selectedAt(next, source, read), selected)) return;
    setPlace(next);
  };
  const select = (id: string | undefined) => setPlace({ id });
  // The graph gets a stable function: a new one after each keystroke would render all of it again.
  const latest = useRef(read);
  useEffect(() => {
    latest.current = read;
  }, [read]);
  const revealNode = useCallback((node: GraphNode) => {
    const id = node.task?.id ?? node.triggerDeclaration?.id;
    if (id === undefined) return;
    setPlace({ id });
    setShown({ id });
    setRevealLine(lineOfTask(latest.current.source, latest.current.parsed, id));
  }, []);
  const editing = useGraphEditing({
    source,
    history,
    schema,
    issues,
    readOnly,
    page,
    selectedId: selected.id,
    onComplete: language.use,
    onSelect: (id) => {
      select(id);
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
      panels.layout.show('code');
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
  const toggleDryRun = () =>
    hasPanels ? panels.layout.show('dryRun') : chooseSide(side === 'dryRun' ? 'topology' : 'dryRun');
  useHotkeys([['alt+Enter', toggleDryRun]], []);
  const showPanels = useStableCallback(() => panels.setShown(true));
  const playground = usePlayground({
    source,
    flow: read.parsed.flow,
    isSaved: isSaved ?? false,
    readOnly,
    selectedId: selected.id,
    isShown: hasPanels ? panels.isInFront('playground') : side === 'playground',
    onShow: () => (hasPanels ? panels.layout.show('playground') : chooseSide('playground')),
  });
  const viewSwitch = hasPanels ? undefined : (
    <ViewSwitch
      view={view}
      onView={chooseView}
      side={side}
      onSide={chooseBeside}
      hasFiles={files && hasFiles}
      onFiles={showFiles}
      onPanels={showPanels}
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
      onPlay={playground.playAt}
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
    <EditorPart
      key="noCode"
      fallback={opening}
      lead={viewSwitch && <div className={styles.bar}>{viewSwitch}</div>}
    >
      <NoCodeEditor
        source={source}
        history={history}
        readOnly={readOnly}
        isSaved={isSaved}
        issues={issues}
        schema={schema}
        onComplete={language.use}
        bar={viewSwitch}
        shown={shown}
        onShow={select}
        element={element}
        onElement={openElement}
      />
    </EditorPart>
  );
  const graph = (
    <div id="topology" className={styles.graph} data-covered={editing.isCovered || undefined}>
      {read.graph ? (
        <div className={styles.canvas}>
          <Topology
            graph={read.graph}
            flowId={read.parsed.flow?.id}
            execution={dryRun?.execution}
            selectedTaskId={selected.id}
            onSelect={revealNode}
            editing={editing.layer}
          />
        </div>
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
    <EditorPart key="help">
      <PluginHelp type={selected.type ?? typeOf(read.graph, selected.id)} />
    </EditorPart>
  );

  const blueprints = (
    <EditorPart key="blueprints">
      <BlueprintBrowser
        target={
          readOnly
            ? undefined
            : {
                text: () => history.latest(),
                task: selected.id ?? selected.near,
                onInsert: (text, line) => {
                  history.write(text, '');
                  setRevealLine(line);
                },
              }
        }
      />
    </EditorPart>
  );
  const dryRunWith = (drawn: ReactNode) => (
    <EditorPart key="dryRun">
      <DryRunSide
        source={source}
        flow={flowName(read.parsed.flow)}
        isSaved={isSaved}
        graph={drawn}
        onShown={setDryRun}
        onJump={jump}
      />
    </EditorPart>
  );
  const besides = {
    none: undefined,
    topology: graph,
    dryRun: dryRunWith(graph),
    playground: playground.side(graph),
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
    <EditorPart fallback={flow?.content ?? <Loading />} lead={flow?.content}>
      <FilesView
        name={flow ? 'flow-files' : 'panel-files'}
        isPanel={flow === undefined}
        files={open}
        flow={flow && { ...flow, tab: flowTab(t('editor.flowTab'), isDirty) }}
        onSave={onSave}
      />
    </EditorPart>
  );

  return (
    <div ref={root} className={styles.editor} style={{ height }}>
      <div className={styles.body} data-view={hasPanels ? 'PANELS' : view} data-side={side}>
        {hasPanels ? (
          <Panels
            layout={panels.layout}
            tools={panels.tools}
            panels={panels.panelsOf({
              files: files && filesOf(files),
              code: inEditor(code),
              noCode,
              topology: graph,
              dryRun: dryRunWith(undefined),
              playground: playground.side(undefined),
              help,
              blueprints,
            })}
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

type Place = { readonly line: number; readonly column: number } | { readonly id: string | undefined };

const isSame = (a: Selected, b: Selected): boolean => a.id === b.id && a.type === b.type && a.near === b.near;

function selectedAt(place: Place | undefined, source: string, read: ReadFlow): Selected {
  if (!place) return { id: undefined };
  if ('id' in place) return place;
  const written = writtenTaskAt(source, place.line);
  const id = read.parsed.flow ? taskAt(read.source, read.parsed, place.line, place.column) : written?.id;
  return { id, type: written?.id === id ? written?.type : undefined, near: written?.id };
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

import type { FlowGraph, GraphNode, Issue } from '@millrace/contract';
import {
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useSteady } from '../../state/useSteady.ts';
import { useTextHistory } from '../../state/useTextHistory.ts';
import { useSetting } from '../../storage/settings.ts';
import { useStored, writeStored } from '../../storage/storage.ts';
import { Loading } from '../../ui/Loading.tsx';
import { Panels } from '../../ui/Panels.tsx';
import { SplitPane } from '../../ui/SplitPane.tsx';
import { BlueprintBrowser } from '../blueprints/index.ts';
import { FilesView, flowTab, type OpenFiles } from '../namespaces/index.ts';
import { PluginHelp } from '../plugins/index.ts';
import { Topology } from '../topology/index.ts';
import { FlowCode } from './FlowCode.tsx';
import styles from './FlowEditor.module.css';
import { keepIssues } from './keepIssues.ts';
import { Problems } from './Problems.tsx';
import { inProductWords } from './productWords.ts';
import { mergeIssues, readValidation } from './readValidation.ts';
import { lineOfTask, taskAt, taskAtLine, writtenTaskAt } from './taskAt.ts';
import { useEditorPlace } from './useEditorPlace.ts';
import { useFlowSchema } from './useFlowSchema.ts';
import { useParsedFlow } from './useParsedFlow.ts';
import { useServerIssues } from './useServerIssues.ts';
import { ViewSwitch } from './ViewSwitch.tsx';

const NoCodeEditor = lazy(() =>
  import('../forms/index.ts').then((module) => ({ default: module.NoCodeEditor })),
);

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
  const hasPanels = useSetting('multiPanelEditor');
  const { view, side, show, choose, chooseSide, element, openElement } = useEditorPlace();
  // A link to a file shows it.
  const hasFiles = useStored('editorFiles') === 'true' || files?.active !== undefined;
  const [shown, setShown] = useState<{ readonly id: string }>();
  const [selected, setSelected] = useState<Selected>({ id: undefined });
  const [revealLine, setRevealLine] = useState<number>();

  const lastIssues = useRef<Issue[]>([]);
  const issues = useMemo(() => {
    const { issues: local, markOf } = read.parsed;
    const deprecated = (path: string) => t('editor.deprecated', { path });
    const found = server.validation ? readValidation(server.validation, { markOf, deprecated }) : [];
    const merged = mergeIssues(local, found).map((issue) => inProductWords(issue, t));
    // A cache, not state: equal issues are the same to whoever shows them.
    lastIssues.current = keepIssues(lastIssues.current, merged);
    return lastIssues.current;
  }, [read.parsed, server.validation, t]);
  const report = useEffectEvent((found: Issue[]) => onIssues?.(found));
  useEffect(() => report(issues), [issues]);

  const followCursor = (line: number, column: number) => {
    if (line !== revealLine) setRevealLine(undefined);
    const written = writtenTaskAt(source, line);
    const id = read.parsed.flow ? taskAt(read.source, read.parsed, line, column) : written?.id;
    const type = written?.id === id ? written?.type : undefined;
    setSelected((known) => (known.id === id && known.type === type ? known : { id, type }));
  };
  // The graph is told once: were this another function after each keystroke, all of it would be drawn again.
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
  const jump = useSteady((line: number) => {
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
  const chooseView = useSteady(choose);
  const chooseBeside = useSteady(chooseSide);
  const showFiles = useSteady((isShown: boolean) => {
    writeStored('editorFiles', isShown ? 'true' : undefined);
    if (!isShown) files?.onShow(undefined);
  });
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
        <Topology graph={read.graph} selectedTaskId={selected.id} onSelect={revealNode} />
      ) : (
        <p className={styles.noGraph}>{t('editor.noGraph')}</p>
      )}
      {read.isOldGraph && (
        <p className={styles.note} role="status">
          {t('editor.lastGood')}
        </p>
      )}
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
  const besides = { none: undefined, topology: graph, documentation: help, blueprints };
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

/** The type of a task or a trigger, as the graph of the flow knows it. */
function typeOf(graph: FlowGraph | undefined, id: string | undefined): string | undefined {
  const node = graph?.nodes.find(
    ({ task, triggerDeclaration }) => id !== undefined && (task?.id ?? triggerDeclaration?.id) === id,
  );
  return node?.task?.type ?? node?.triggerDeclaration?.type;
}

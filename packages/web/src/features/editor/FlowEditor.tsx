import type { GraphNode, Issue } from '@millrace/contract';
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeEditor } from '../../ui/code/index.ts';
import { SplitPane } from '../../ui/SplitPane.tsx';
import { Topology } from '../topology/index.ts';
import styles from './FlowEditor.module.css';
import { Problems } from './Problems.tsx';
import { mergeIssues, readValidation } from './readValidation.ts';
import { lineOfTask, taskAt } from './taskAt.ts';
import { FLOW_PATH, useFlowSchema } from './useFlowSchema.ts';
import { useParsedFlow } from './useParsedFlow.ts';
import { useServerIssues } from './useServerIssues.ts';

interface FlowEditorProps {
  readonly source: string;
  onChange(source: string): void;
  readonly readOnly?: boolean | undefined;
  readonly onSave?: (() => void) | undefined;
  readonly onIssues?: ((issues: Issue[]) => void) | undefined;
  readonly height?: string | number | undefined;
}

/** A flow as text and as a picture, side by side and in step, with what is wrong below. */
export function FlowEditor({
  source,
  onChange,
  readOnly,
  onSave,
  onIssues,
  height = '100%',
}: FlowEditorProps) {
  const { t } = useTranslation();
  const read = useParsedFlow(source);
  const server = useServerIssues(source);
  useFlowSchema();
  const [selectedTaskId, setSelectedTaskId] = useState<string>();
  const [revealLine, setRevealLine] = useState<number>();

  const issues = useMemo(() => {
    const { issues: local, rangeOf } = read.parsed;
    const deprecated = (path: string) => t('editor.deprecated', { path });
    return mergeIssues(
      local,
      server.validation ? readValidation(server.validation, { rangeOf, deprecated }) : [],
    );
  }, [read.parsed, server.validation, t]);
  const report = useEffectEvent((found: Issue[]) => onIssues?.(found));
  useEffect(() => report(issues), [issues]);

  const followCursor = (line: number, column: number) => {
    if (line !== revealLine) setRevealLine(undefined);
    setSelectedTaskId(taskAt(read.source, read.parsed, line, column));
  };
  // The graph is told once: were this another function after each keystroke, all of it would be drawn again.
  const latest = useRef(read);
  useEffect(() => {
    latest.current = read;
  }, [read]);
  const revealNode = useCallback((node: GraphNode) => {
    const id = node.task?.id ?? node.triggerDeclaration?.id;
    if (id === undefined) return;
    setSelectedTaskId(id);
    setRevealLine(lineOfTask(latest.current.source, latest.current.parsed, id));
  }, []);

  return (
    <div className={styles.editor} style={{ height }}>
      <div className={styles.body}>
        <SplitPane
          name="flow-editor"
          defaultPercent={55}
          start={
            <div id="editor" className={styles.code}>
              <CodeEditor
                value={source}
                language="yaml"
                path={FLOW_PATH}
                readOnly={readOnly}
                onChange={onChange}
                onSave={onSave}
                onCursor={followCursor}
                revealLine={revealLine}
                markers={issues}
                ariaLabel={t('editor.label')}
              />
            </div>
          }
          end={
            <div id="topology" className={styles.graph}>
              {read.graph ? (
                <Topology graph={read.graph} selectedTaskId={selectedTaskId} onSelect={revealNode} />
              ) : (
                <p className={styles.noGraph}>{t('editor.noGraph')}</p>
              )}
              {read.isOldGraph && (
                <p className={styles.note} role="status">
                  {t('editor.lastGood')}
                </p>
              )}
            </div>
          }
        />
      </div>
      <Problems issues={issues} server={server.status} onJump={setRevealLine} />
    </div>
  );
}

import type { Issue } from '@millrace/contract';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import type { PlayMode } from '../../state/playTask.ts';
import { CodeEditor, type LineNote, loadMonaco } from '../../ui/code/index.ts';
import styles from './FlowEditor.module.css';
import { registerLanguage } from './registerLanguage.ts';
import { FLOW_PATH, useCodeSchema } from './useFlowSchema.ts';

interface FlowCodeProps {
  readonly source: string;
  /** What the source was before, oldest first: the code editor goes back over it too. */
  readonly past: readonly string[];
  /** The places that the user went back from, the next one first. */
  readonly future: readonly string[];
  onChange(source: string): void;
  readonly readOnly: boolean | undefined;
  readonly onSave: (() => void) | undefined;
  onCursor(line: number, column: number): void;
  readonly revealLine: number | undefined;
  readonly issues: readonly Issue[];
  readonly schema: Record<string, unknown> | undefined;
  /** The rendered values of a dry run, beside their lines. */
  readonly notes?: readonly LineNote[] | undefined;
  /** Executes the task at the cursor, or the tasks up to it. */
  readonly onPlay?: ((mode: PlayMode) => void) | undefined;
  /** Called when the language service is used for the first time, and again. */
  onLanguage(): void;
  /** Content above the text. */
  readonly bar: ReactNode;
}

/** The flow as text, with what the server's schema knows about it. */
export function FlowCode(props: FlowCodeProps) {
  const {
    source,
    past,
    future,
    onChange,
    readOnly,
    onSave,
    onCursor,
    revealLine,
    issues,
    schema,
    notes,
    onPlay,
    onLanguage,
    bar,
  } = props;
  const { t } = useTranslation();
  const actions = useMemo(
    () => [
      { id: 'executeTask', label: t('playground.executeTask'), key: 'mod+Enter' as const },
      { id: 'executeUpTo', label: t('playground.executeUpTo'), key: 'mod+shift+Enter' as const },
    ],
    [t],
  );
  useCodeSchema(schema);
  useLanguageFeatures(issues, onLanguage);
  return (
    <>
      {bar && <div className={styles.bar}>{bar}</div>}
      <div className={styles.text}>
        <CodeEditor
          value={source}
          past={past}
          future={future}
          language="yaml"
          path={FLOW_PATH}
          readOnly={readOnly}
          onChange={onChange}
          onSave={onSave}
          onCursor={onCursor}
          revealLine={revealLine}
          markers={issues}
          notes={notes}
          actions={onPlay && actions}
          onAction={(id) => onPlay?.(id === 'executeTask' ? 'task' : 'upTo')}
          ariaLabel={t('editor.label')}
        />
      </div>
    </>
  );
}

/** Connects the code editor with the language service of this flow. */
function useLanguageFeatures(issues: readonly Issue[], onUse: () => void): void {
  const { t } = useTranslation();
  const latest = useRef({ issues, onUse });
  useEffect(() => {
    latest.current = { issues, onUse };
  }, [issues, onUse]);
  useEffect(() => {
    let isGone = false;
    let dispose = () => {};
    loadMonaco().then(
      (module) => {
        if (isGone) return;
        dispose = registerLanguage(module, {
          path: FLOW_PATH,
          t,
          issues: () => latest.current.issues,
          onUse: () => latest.current.onUse(),
        });
      },
      () => {}, // The editor itself says that it could not be loaded.
    );
    return () => {
      isGone = true;
      dispose();
    };
  }, [t]);
}

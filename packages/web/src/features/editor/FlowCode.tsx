import type { Issue } from '@millrace/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeEditor } from '../../ui/code/index.ts';
import styles from './FlowEditor.module.css';
import { useExpressionWords } from './useExpressionWords.ts';
import { FLOW_PATH, useCodeSchema } from './useFlowSchema.ts';

interface FlowCodeProps {
  readonly source: string;
  /** What the source was before, oldest first: the code editor goes back over it too. */
  readonly past: readonly string[];
  /** What was gone back from, the next one first: it goes forward to it too. */
  readonly future: readonly string[];
  onChange(source: string): void;
  readonly readOnly: boolean | undefined;
  readonly onSave: (() => void) | undefined;
  onCursor(line: number, column: number): void;
  readonly revealLine: number | undefined;
  readonly issues: readonly Issue[];
  readonly schema: Record<string, unknown> | undefined;
  /** What stands above the text. */
  readonly bar: ReactNode;
}

/** The flow as text, with what the server's schema knows about it. */
export function FlowCode(props: FlowCodeProps) {
  const { source, past, future, onChange, readOnly, onSave, onCursor, revealLine, issues, schema, bar } =
    props;
  const { t } = useTranslation();
  useCodeSchema(schema);
  useExpressionWords();
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
          ariaLabel={t('editor.label')}
        />
      </div>
    </>
  );
}

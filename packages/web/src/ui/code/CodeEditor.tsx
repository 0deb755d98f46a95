import { Button } from '@mantine/core';
import type { Issue } from '@millrace/contract';
import { useTranslation } from 'react-i18next';
import styles from './CodeEditor.module.css';
import { MonacoHost } from './MonacoHost.tsx';
import { useMonaco } from './useMonaco.ts';

export interface CodeEditorProps {
  readonly value: string;
  /** Texts from before the editor was opened, oldest first, to go back over. */
  readonly past?: readonly string[] | undefined;
  /** Texts that were gone back from before the editor was opened, the next one first, to go forward to. */
  readonly future?: readonly string[] | undefined;
  readonly language: string;
  readonly onChange?: ((value: string) => void) | undefined;
  readonly readOnly?: boolean | undefined;
  /** The file's name; YAML schemas are matched by it. */
  readonly path?: string | undefined;
  readonly markers?: readonly Issue[] | undefined;
  readonly onCursor?: ((line: number, column: number) => void) | undefined;
  /** Brings the line into view and puts the cursor there, each time it changes. */
  readonly revealLine?: number | undefined;
  readonly onSave?: (() => void) | undefined;
  readonly ariaLabel: string;
}

/** A code editor. The editor itself is large and loads on first use; until then the text is shown plainly. */
export function CodeEditor(props: CodeEditorProps) {
  const { t } = useTranslation();
  const { loaded, retry } = useMonaco();
  if (loaded.status === 'ready') return <MonacoHost {...props} module={loaded.module} />;
  return (
    <div className={styles.waiting}>
      {loaded.status === 'failed' && (
        <p className={styles.failed} role="alert">
          {t('editor.failed')}
          <Button size="compact-xs" variant="default" onClick={retry}>
            {t('editor.retry')}
          </Button>
        </p>
      )}
      <textarea
        className={styles.plain}
        aria-label={props.ariaLabel}
        aria-busy={loaded.status === 'loading'}
        value={props.value}
        readOnly
      />
    </div>
  );
}

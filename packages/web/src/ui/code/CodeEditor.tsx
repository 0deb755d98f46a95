import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import styles from './CodeEditor.module.css';
import type { CodeEditorProps } from './codeEditorProps.ts';
import { MonacoHost } from './MonacoHost.tsx';
import { useMonaco } from './useMonaco.ts';

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

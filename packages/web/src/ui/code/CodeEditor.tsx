import { Button } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import styles from './CodeEditor.module.css';
import type { CodeEditorProps } from './codeEditorProps.ts';
import { loadedMonaco, loadMonaco, type MonacoModule } from './loadMonaco.ts';
import { MonacoHost } from './MonacoHost.tsx';

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

type Loaded =
  | { readonly status: 'loading' }
  | { readonly status: 'ready'; readonly module: MonacoModule }
  | { readonly status: 'failed' };

function useMonaco(): { loaded: Loaded; retry(): void } {
  const [loaded, setLoaded] = useState<Loaded>(() => {
    const module = loadedMonaco();
    return module ? { status: 'ready', module } : { status: 'loading' };
  });
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is what runs it again.
  useEffect(() => {
    if (loaded.status === 'ready') return;
    let isWanted = true;
    loadMonaco().then(
      (module) => isWanted && setLoaded({ status: 'ready', module }),
      () => isWanted && setLoaded({ status: 'failed' }),
    );
    return () => {
      isWanted = false;
    };
  }, [attempt]);
  const retry = useCallback(() => {
    setLoaded({ status: 'loading' });
    setAttempt((count) => count + 1);
  }, []);
  return { loaded, retry };
}

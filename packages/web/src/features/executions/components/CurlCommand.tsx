import { useTranslation } from 'react-i18next';
import styles from '../../../ui/dialog/DialogForm.module.css';
import { CodeBlock } from '../../../ui/markdown/CodeBlock.tsx';
import { curlCommand, needsRealValues } from '../curlCommand.ts';

/** The same start from a terminal. */
export function CurlCommand(props: Parameters<typeof curlCommand>[0]) {
  const { t } = useTranslation();
  return (
    <div className={styles.group}>
      <CodeBlock>
        <code className="language-bash">{curlCommand(props, window.location.origin)}</code>
      </CodeBlock>
      {needsRealValues(props.flow) && <p className={styles.none}>{t('execute.curlReal')}</p>}
    </div>
  );
}

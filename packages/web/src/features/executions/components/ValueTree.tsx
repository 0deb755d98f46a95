import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../ui/index.ts';
import { isStorageUri } from '../files/storageFile.ts';
import styles from './ValueTree.module.css';

// Few values are files.
const FileValue = lazy(() =>
  import('../files/FileValue.tsx').then((module) => ({ default: module.FileValue })),
);

interface ValueTreeProps {
  values: Record<string, unknown>;
  /** Whose values they are: files among them are read through it. */
  executionId: string;
}

/** Values under their names; lists and objects fold out, files can be looked into. */
export function ValueTree({ values, executionId }: ValueTreeProps) {
  return (
    <ul className={styles.tree}>
      {Object.entries(values).map(([name, value]) => (
        <ValueRow key={name} name={name} value={value} executionId={executionId} />
      ))}
    </ul>
  );
}

function ValueRow({ name, value, executionId }: { name: string; value: unknown; executionId: string }) {
  const { t } = useTranslation();
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
    const count = Object.keys(value).length;
    return (
      <li>
        <details open={count <= 12}>
          <summary className={styles.row}>
            <span className={styles.name}>{name}</span>
            <span className={styles.quiet}>{t('value.items', { count })}</span>
          </summary>
          <ValueTree values={value as Record<string, unknown>} executionId={executionId} />
        </details>
      </li>
    );
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return (
    <li className={styles.row}>
      <span className={styles.name}>{name}</span>
      <code className={styles.value} data-kind={value === null ? 'null' : typeof value}>
        {text}
      </code>
      {isStorageUri(value) && (
        <Suspense>
          <FileValue executionId={executionId} uri={value} />
        </Suspense>
      )}
      <CopyButton value={text ?? ''} />
    </li>
  );
}

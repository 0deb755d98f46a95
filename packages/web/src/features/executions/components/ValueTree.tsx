import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../ui/index.ts';
import styles from './ValueTree.module.css';

/** Values under their names; lists and objects fold out. */
export function ValueTree({ values }: { values: Record<string, unknown> }) {
  return (
    <ul className={styles.tree}>
      {Object.entries(values).map(([name, value]) => (
        <ValueRow key={name} name={name} value={value} />
      ))}
    </ul>
  );
}

function ValueRow({ name, value }: { name: string; value: unknown }) {
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
          <ValueTree values={value as Record<string, unknown>} />
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
      <CopyButton value={text ?? ''} />
    </li>
  );
}

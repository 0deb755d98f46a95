import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../../../ui/markdown/CodeBlock.tsx';
import styles from './files.module.css';

/** Rows of a file: a table of all their fields, or lines of text when they are no objects. */
export function FileRows({ rows }: { rows: readonly unknown[] }) {
  const { t } = useTranslation();
  if (rows.length === 0) return <p className={styles.empty}>{t('preview.empty')}</p>;
  if (!rows.every(isObject)) {
    return (
      <CodeBlock>
        <code className="language-json">{rows.map((row) => JSON.stringify(row)).join('\n')}</code>
      </CodeBlock>
    );
  }
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            {fields.map((field) => (
              <th key={field}>{field}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no identity besides their place.
            <tr key={index}>
              {fields.map((field) => (
                <td key={field}>{textOf(row[field])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const isObject = (row: unknown): row is Record<string, unknown> =>
  typeof row === 'object' && row !== null && !Array.isArray(row);

const textOf = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

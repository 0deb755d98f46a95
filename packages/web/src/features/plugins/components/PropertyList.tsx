import { useTranslation } from 'react-i18next';
import { Markdown } from '../../../ui/markdown/Markdown.tsx';
import type { PropertyRow } from '../pluginSchema.ts';
import styles from './plugins.module.css';

interface PropertyListProps {
  rows: readonly PropertyRow[];
  label: string;
  /** Definitions that are on this page; a type of that name links to its own. */
  definitions: ReadonlySet<string>;
}

export function PropertyList({ rows, label, definitions }: PropertyListProps) {
  const { t } = useTranslation();
  return (
    <ul className={styles.properties} aria-label={label}>
      {rows.map(({ name, type, definition, isRequired, isDynamic, isDeprecated, text, facts }) => (
        <li key={name} className={styles.property}>
          <div className={styles.line}>
            <code>{name}</code>
            {definition && definitions.has(definition) ? (
              <a href={`#${definition}`}>{type}</a>
            ) : (
              <span>{type}</span>
            )}
            {isRequired && <span className={styles.required}>{t('plugin.required')}</span>}
            {isDynamic && <span className={styles.facts}>{t('plugin.dynamic')}</span>}
            {isDeprecated && <span className={styles.required}>{t('plugin.deprecated')}</span>}
          </div>
          {facts.length > 0 && <div className={styles.facts}>{facts.join(' · ')}</div>}
          {text && <Markdown text={text} compact />}
        </li>
      ))}
    </ul>
  );
}

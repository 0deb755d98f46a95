import type { plugins } from '@millrace/contract';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { CopyButton } from '../../ui/index.ts';
import { Markdown } from '../../ui/markdown/Markdown.tsx';
import { describe, examplesOf, metricsOf, type PropertyRow, propertyRows } from './pluginSchema.ts';
import styles from './plugins.module.css';

interface PluginDocumentViewProps {
  cls: string;
  document: plugins.PluginDocument;
}

/** Everything about one type: what it does, how it is written, what it takes and what it gives. */
export function PluginDocumentView({ cls, document }: PluginDocumentViewProps) {
  const { t } = useTranslation();
  const { properties, outputs, definitions = {} } = document.schema;
  const { title, text } = describe(properties);
  const names = new Set(Object.keys(definitions));
  const examples = examplesOf(properties);
  const metrics = metricsOf(properties);
  const taken = propertyRows(properties);
  const given = propertyRows(outputs);
  return (
    <article className={styles.document}>
      {title && <Markdown text={`**${title}**`} />}
      {text && <Markdown text={text} />}
      <div className={styles.type}>
        <span>type: {cls}</span>
        <CopyButton value={`type: ${cls}`} />
      </div>
      {examples.length > 0 && <h2>{t('plugin.examples')}</h2>}
      {examples.map(({ title: name, code, language }) => (
        <div key={code} className={styles.example}>
          <Markdown text={`${name ? `${name}\n\n` : ''}\`\`\`${language}\n${code}\n\`\`\``} />
        </div>
      ))}
      {taken.length > 0 && (
        <>
          <h2>{t('plugin.properties')}</h2>
          <PropertyList rows={taken} label={t('plugin.properties')} definitions={names} />
        </>
      )}
      {given.length > 0 && (
        <>
          <h2>{t('plugin.outputs')}</h2>
          <PropertyList rows={given} label={t('plugin.outputs')} definitions={names} />
        </>
      )}
      {metrics.length > 0 && (
        <>
          <h2>{t('plugin.metrics')}</h2>
          <ul className={styles.properties}>
            {metrics.map(({ name, type, text: words }) => (
              <li key={name} className={styles.property}>
                <div className={styles.line}>
                  <code>{name}</code> <span>{type}</span> <span className={styles.facts}>{words}</span>
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
      {names.size > 0 && <h2>{t('plugin.definitions')}</h2>}
      {Object.entries(definitions).map(([name, schema]) => (
        <details key={name} id={name}>
          <summary>{name}</summary>
          <PropertyList rows={propertyRows(schema)} label={name} definitions={names} />
        </details>
      ))}
    </article>
  );
}

interface PropertyListProps {
  rows: readonly PropertyRow[];
  label: string;
  /** Definitions that are on this page; a type of that name links to its own. */
  definitions: ReadonlySet<string>;
}

function PropertyList({ rows, label, definitions }: PropertyListProps) {
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

import type { plugins } from '@millrace/contract';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { CopyButton } from '../../ui/index.ts';
import { Markdown } from '../../ui/markdown/Markdown.tsx';
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

/** What a type's JSON Schema tells a reader, property by property. */
interface PropertyRow {
  name: string;
  type: string;
  /** The definition that the type refers to. */
  definition: string | undefined;
  isRequired: boolean;
  isDynamic: boolean;
  isDeprecated: boolean;
  text: string;
  /** Defaults, limits and choices, in words. */
  facts: string[];
}

interface PluginExample {
  title: string | undefined;
  code: string;
  language: string;
}

type Schema = Readonly<Record<string, unknown>>;

/** Required ones first, deprecated ones last, each by name. */
export function propertyRows(schema: unknown): PropertyRow[] {
  const { properties, required } = mapOf(schema);
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(mapOf(properties))
    .map(([name, value]) => rowOf(name, mapOf(value), needed.includes(name)))
    .toSorted(
      (a, b) =>
        Number(a.isDeprecated) - Number(b.isDeprecated) ||
        Number(b.isRequired) - Number(a.isRequired) ||
        a.name.localeCompare(b.name),
    );
}

export function examplesOf(schema: unknown): PluginExample[] {
  const { $examples } = mapOf(schema);
  return (Array.isArray($examples) ? $examples : []).flatMap((value) => {
    const { title, code, lang } = mapOf(value);
    return typeof code === 'string' ? [{ title: textOf(title), code, language: textOf(lang) ?? 'yaml' }] : [];
  });
}

function metricsOf(schema: unknown): { name: string; type: string; text: string }[] {
  const { $metrics } = mapOf(schema);
  return (Array.isArray($metrics) ? $metrics : []).flatMap((value) => {
    const { name, type, description } = mapOf(value);
    return typeof name === 'string'
      ? [{ name, type: textOf(type) ?? '', text: textOf(description) ?? '' }]
      : [];
  });
}

const describe = (schema: unknown): { title: string | undefined; text: string | undefined } => {
  const { title, description } = mapOf(schema);
  return { title: textOf(title), text: textOf(description) };
};

function rowOf(name: string, schema: Schema, isRequired: boolean): PropertyRow {
  const { title, description, $dynamic, $deprecated, deprecated } = schema;
  return {
    name,
    type: typeNameOf(schema),
    definition: definitionOf(schema),
    isRequired,
    isDynamic: $dynamic === true,
    isDeprecated: $deprecated === true || deprecated === true,
    text: [textOf(title), textOf(description)].filter(Boolean).join('\n\n'),
    facts: factsOf(schema),
  };
}

function typeNameOf(schema: Schema): string {
  const { type, items, anyOf, oneOf, additionalProperties, format } = schema;
  const definition = textOf(schema.$ref);
  if (definition) return shortRef(definition);
  if (type === 'array') return `array of ${typeNameOf(mapOf(items)) || 'anything'}`;
  if (type === 'object' && typeof additionalProperties === 'object') {
    return `map of ${typeNameOf(mapOf(additionalProperties)) || 'anything'}`;
  }
  const branches = [anyOf, oneOf].find(Array.isArray) as unknown[] | undefined;
  if (branches)
    return [...new Set(branches.map((one) => typeNameOf(mapOf(one))).filter(Boolean))].join(' or ');
  const names = Array.isArray(type) ? type.join(' or ') : (textOf(type) ?? '');
  return typeof format === 'string' ? `${names} (${format})` : names;
}

function definitionOf(schema: Schema): string | undefined {
  const own = textOf(schema.$ref) ?? textOf(mapOf(schema.items).$ref);
  return own && shortRef(own);
}

const limits = [
  'default',
  'const',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'pattern',
] as const;

function factsOf(schema: Schema): string[] {
  const found = limits.flatMap((name) =>
    schema[name] === undefined ? [] : [`${name}: ${JSON.stringify(schema[name])}`],
  );
  const choices = Array.isArray(schema.enum)
    ? [`one of ${schema.enum.map((one) => String(one)).join(', ')}`]
    : [];
  return [...found, ...choices];
}

const shortRef = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);
const mapOf = (value: unknown): Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

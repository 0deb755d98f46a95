import { useTranslation } from '../../../i18n/useTranslation.ts';
import { useForm } from '../FormHost.ts';
import { Field } from '../fields/Field.tsx';
import { isMissing } from '../schema/check.ts';
import { type Property, propertiesOf } from '../schema/properties.ts';
import { asSchema, type Schema } from '../schema/schema.ts';
import { isMap, valueAt } from '../source/edit.ts';
import styles from './NoCodeEditor.module.css';

/** What a flow is about, what it does, and how it runs; what a schema adds comes after what is known here. */
const groups = [
  { name: 'about', properties: ['id', 'namespace', 'description', 'labels'] },
  {
    name: 'work',
    properties: ['inputs', 'tasks', 'triggers', 'errors', 'finally', 'afterExecution', 'outputs'],
  },
  {
    name: 'running',
    properties: ['variables', 'pluginDefaults', 'concurrency', 'retry', 'sla', 'checks', 'disabled'],
  },
] as const;
/** Given by the server: written in a text it is only read over. */
const hidden = new Set(['revision']);
const locked = new Set(['id', 'namespace']);

export function FlowForm({ schema }: { schema: Schema }) {
  const { t } = useTranslation();
  const { definitions, data, isSaved } = useForm();
  const all = propertiesOf(definitions, schema).filter(
    ({ name, isDeprecated }) => (!isDeprecated && !hidden.has(name)) || !isMissing(valueAt(data, [name])),
  );
  const placed = new Set<string>(groups.flatMap(({ properties }) => properties));
  const known = asSchema(schema.properties);
  const unknown = Object.keys(isMap(data) ? data : {}).filter((name) => !(name in known));
  const others = [
    ...all.filter(({ name }) => !placed.has(name)),
    ...unknown.map((name) => ({ name, schema: {}, isRequired: false })),
  ];
  const field = ({ name, schema: own, isRequired }: Pick<Property, 'name' | 'schema' | 'isRequired'>) => (
    <Field
      key={name}
      name={name}
      schema={own}
      parent={undefined}
      path={[name]}
      isRequired={isRequired}
      isLocked={isSaved && locked.has(name)}
    />
  );
  return (
    <div className={styles.flow} data-heading tabIndex={-1}>
      {groups.map(({ name, properties }) => (
        <section key={name} className={styles.group} data-name={name} aria-label={t(`noCode.group.${name}`)}>
          <h2 className={styles.groupTitle}>{t(`noCode.group.${name}`)}</h2>
          {properties.flatMap((property) => all.filter((one) => one.name === property)).map(field)}
        </section>
      ))}
      {others.length > 0 && (
        <section className={styles.group} aria-label={t('noCode.group.other')}>
          <h2 className={styles.groupTitle}>{t('noCode.group.other')}</h2>
          {others.map(field)}
        </section>
      )}
    </div>
  );
}

import { UnstyledButton } from '@mantine/core';
import type { Path } from '@millrace/engine';
import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { useForm, type WidgetProps } from '../FormHost.ts';
import { isMissing } from '../schema/check.ts';
import { type Property, propertiesOf } from '../schema/properties.ts';
import { asSchema, type Schema } from '../schema/schema.ts';
import { isMap, valueAt } from '../source/edit.ts';
import { Field } from './Field.tsx';
import styles from './fields.module.css';

interface ObjectFormProps {
  readonly schema: Schema;
  readonly path: Path;
}

/**
 * The properties of an object: what it needs in sight, the rest behind a line to open. Old ways of saying things
 * appear only where they are used, and what the schema does not know is shown as it is.
 */
export function ObjectForm({ schema, path }: ObjectFormProps) {
  const { t } = useTranslation();
  const { definitions, data } = useForm();
  const value = valueAt(data, path);
  const isSet = (name: string) => !isMissing(valueAt(value, [name]));
  const properties = propertiesOf(definitions, schema).filter(
    ({ name, isDeprecated }) => !isDeprecated || isSet(name),
  );
  const main = properties.filter(({ isMain }) => isMain);
  const optional = properties.filter(({ isMain }) => !isMain);
  const known = asSchema(schema.properties);
  const unknown = Object.keys(isMap(value) ? value : {}).filter(
    (name) => !(name in known) && name !== 'type',
  );
  const field = ({ name, schema: own, isRequired }: Pick<Property, 'name' | 'schema' | 'isRequired'>) => (
    <Field
      key={name}
      name={name}
      schema={own}
      parent={schema}
      path={[...path, name]}
      isRequired={isRequired}
    />
  );
  return (
    <div className={styles.object}>
      {main.map(field)}
      {optional.length > 0 && (
        <Section
          title={t('form.optional', { count: optional.length })}
          isOpen={main.length === 0 || optional.some(({ name }) => isSet(name))}
        >
          {optional.map(field)}
        </Section>
      )}
      {unknown.length > 0 && (
        <Section title={t('form.unknown', { count: unknown.length })} isOpen>
          {unknown.map((name) => field({ name, schema: {}, isRequired: false }))}
        </Section>
      )}
    </div>
  );
}

function Section({ title, isOpen, children }: { title: string; isOpen: boolean; children: ReactNode }) {
  const [isShown, setShown] = useState(isOpen);
  const id = useId();
  return (
    <section className={styles.section}>
      <UnstyledButton
        className={styles.toggle ?? ''}
        aria-expanded={isShown}
        aria-controls={id}
        onClick={() => setShown(!isShown)}
      >
        <IconChevronRight size={14} aria-hidden data-open={isShown || undefined} />
        {title}
      </UnstyledButton>
      <div id={id} hidden={!isShown} className={styles.object}>
        {isShown && children}
      </div>
    </section>
  );
}

export function ObjectWidget({ field, path }: WidgetProps<'object'>) {
  return (
    <div className={styles.box}>
      <ObjectForm schema={field.schema} path={path} />
    </div>
  );
}

import { Button, Menu, SegmentedControl } from '@mantine/core';
import type { Path } from '@millrace/engine';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { usePlayTask } from '../../../state/playTask.ts';
import { BrokenPart, Loading } from '../../../ui/index.ts';
import { PluginDocumentView, pluginDocumentQuery } from '../../plugins/index.ts';
import { PluginIcon } from '../../topology/index.ts';
import { useForm } from '../FormHost.ts';
import { nameOf } from '../fields/BlockRow.tsx';
import { Field } from '../fields/Field.tsx';
import { ObjectForm } from '../fields/ObjectForm.tsx';
import { TypePicker } from '../fields/TypePicker.tsx';
import type { Field as FieldShape } from '../schema/field.ts';
import { withType } from '../schema/newElement.ts';
import { asSchema, type Schema, typeSchema } from '../schema/schema.ts';
import { schemaAt } from '../schema/schemaAt.ts';
import { isMap, valueAt } from '../source/edit.ts';
import styles from './NoCodeEditor.module.css';

/** As it is called in the document, whatever the language of the page. */
const typeName = 'type';

interface ElementFormProps {
  readonly path: Path;
  readonly root: Schema;
  /** What is shown, where something around the form offers the choice; otherwise the form offers it. */
  readonly view?: ElementView | undefined;
}

export type ElementView = 'form' | 'documentation';

/** The form of one thing in a list, and what its type is for. */
export function ElementForm({ path, root, view: given }: ElementFormProps) {
  const { t } = useTranslation();
  const { definitions, readType, data, isReadOnly, edit } = useForm();
  const player = usePlayTask();
  const [chosen, setChosen] = useState<ElementView>('form');
  const view = given ?? chosen;
  const { field } = schemaAt(definitions, root, data, path);
  const value = valueAt(data, path);
  const { title, type } = nameOf(value, Number(path.findLast((step) => typeof step === 'number') ?? 0));
  const place = field.kind === 'block' ? field.place : undefined;
  const isPlugin = place !== undefined && type?.includes('.') === true;
  return (
    <div className={styles.element}>
      <header className={styles.elementHead}>
        {isPlugin && <PluginIcon type={type} size={22} />}
        <h2 className={styles.elementTitle} data-heading tabIndex={-1}>
          {title}
        </h2>
        {isPlugin && path[0] !== 'triggers' && player && (
          <Menu position="bottom-end">
            <Menu.Target>
              <Button
                size="compact-sm"
                variant="default"
                leftSection={<IconPlayerPlay size={14} stroke={1.7} />}
              >
                {t('playground.title')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => player.play(title, 'task')}>{t('playground.executeTask')}</Menu.Item>
              <Menu.Item onClick={() => player.play(title, 'upTo')}>{t('playground.executeUpTo')}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
        {isPlugin && given === undefined && (
          <SegmentedControl<ElementView>
            size="xs"
            aria-label={t('noCode.views')}
            data={[
              { value: 'form', label: t('noCode.form') },
              { value: 'documentation', label: t('noCode.documentation') },
            ]}
            value={view}
            onChange={setChosen}
          />
        )}
      </header>
      {isPlugin && view === 'documentation' ? (
        <TypeDocument type={type} />
      ) : (
        <>
          {place && (
            <div className={styles.typeField}>
              <span className={styles.typeLabel}>{typeName}</span>
              <TypePicker
                place={place}
                type={type}
                label={t('form.typeOf', { name: title })}
                isInvalid={type === undefined || typeSchema(definitions, place, type) === undefined}
                isReadOnly={isReadOnly}
                onChoose={(next) =>
                  void readType(place, next).then((known) =>
                    edit({ kind: 'set', path, value: withType(known, value, next) }),
                  )
                }
              />
            </div>
          )}
          <Neighbours path={path} root={root} />
          <ObjectForm key={type} schema={objectOf(field, definitions, value)} path={path} />
        </>
      )}
    </div>
  );
}

function objectOf(field: FieldShape, definitions: Schema, value: unknown): Schema {
  if (field.kind !== 'block') return field.kind === 'object' ? field.schema : {};
  return typeSchema(definitions, field.place, isMap(value) ? value.type : undefined) ?? {};
}

/** What stands beside a thing inside an item, such as what a child of a Dag waits for. */
function Neighbours({ path, root }: Pick<ElementFormProps, 'path' | 'root'>) {
  const { definitions, data } = useForm();
  const inside = path.at(-1);
  const holder = path.slice(0, -1);
  if (typeof inside !== 'string' || typeof holder.at(-1) !== 'number') return null;
  const { field } = schemaAt(definitions, root, data, holder);
  const properties = Object.entries(asSchema(field.schema.properties)).filter(([name]) => name !== inside);
  return properties.map(([name, schema]) => (
    <Field
      key={name}
      name={name}
      schema={schema}
      parent={field.schema}
      path={[...holder, name]}
      isRequired={false}
    />
  ));
}

function TypeDocument({ type }: { type: string }) {
  const { data, error, refetch } = useQuery(pluginDocumentQuery(type, undefined, 'handled'));
  if (!data) return error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />;
  return <PluginDocumentView cls={type} document={data} />;
}

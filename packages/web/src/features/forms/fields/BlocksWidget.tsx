import { useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { showWarning } from '../../../shell/toasts.ts';
import { useForm, type WidgetProps } from '../FormHost.ts';
import { requiredDefaults } from '../schema/branch.ts';
import type { Items } from '../schema/field.ts';
import { copyOf, freeName, idsIn, newElement, withType } from '../schema/newElement.ts';
import { asSchema, typeSchema } from '../schema/schema.ts';
import { dependentsOf } from '../schema/usersOf.ts';
import { isMap } from '../source/edit.ts';
import { AddButton } from './AddButton.tsx';
import { BlockRow, useReorder } from './BlockRow.tsx';
import styles from './fields.module.css';
import { ObjectForm } from './ObjectForm.tsx';
import { TypePicker } from './TypePicker.tsx';

/** A list of elements with their own forms: tasks, triggers, inputs. Each is a row that opens its form. */
export function BlocksWidget({ field, name, path, value, isReadOnly }: WidgetProps<'blocks'>) {
  const { t } = useTranslation();
  const { readType, data, edit, open } = useForm();
  const [isAdding, setAdding] = useState(false);
  const { items } = field;
  const elements: readonly unknown[] = Array.isArray(value) ? value : [];
  const [said, setSaid] = useState('');
  const move = (from: number, to: number) => {
    if (to < 0 || to >= elements.length || from === to) return;
    edit({ kind: 'move', path, from, to });
    setSaid(t('form.movedTo', { place: to + 1, count: elements.length }));
  };
  const reorder = useReorder(move, () => showWarning(t('form.swapText'), t('form.cannotSwap')));
  const remove = (index: number) => {
    const { id, by } = dependentsOf(elements, index);
    if (by.length > 0) showWarning(t('form.dependedOn', { id, by: by.join(', ') }), t('form.cannotDelete'));
    else edit({ kind: 'set', path: [...path, index] });
  };
  const insert = (index: number, element: unknown) => {
    edit({ kind: 'insert', path, index, value: element });
    open([...path, index, ...(items.inside === undefined ? [] : [items.inside])]);
  };
  const add = async (type: string | undefined) => {
    setAdding(false);
    const element =
      items.place && type !== undefined
        ? newElement(await readType(items.place, type), type, idsIn(data))
        : { ...idOf(items, idsIn(data)), ...requiredDefaults(items.schema) };
    insert(elements.length, items.inside === undefined ? element : { [items.inside]: element });
  };
  return (
    <div className={styles.blocks}>
      {elements.length > 0 && (
        <ul className={styles.blockList} aria-label={name}>
          {elements.map((element, index) => (
            <BlockRow
              // biome-ignore lint/suspicious/noArrayIndexKey: ids can be missing or twice; a row has no state.
              key={index}
              items={items}
              element={element}
              path={[...path, index]}
              index={index}
              count={elements.length}
              isReadOnly={isReadOnly}
              reorder={reorder}
              onMove={(to) => move(index, to)}
              onDuplicate={() => insert(index + 1, copyOf(element, idsIn(data)))}
              onRemove={() => remove(index)}
            />
          ))}
        </ul>
      )}
      <span className={styles.said} role="status">
        {said}
      </span>
      {!isReadOnly &&
        (isAdding && items.place ? (
          <TypePicker
            place={items.place}
            type={undefined}
            label={t('form.typeOfNew', { name })}
            isEager
            onChoose={(type) => void add(type)}
            onCancel={() => setAdding(false)}
          />
        ) : (
          <AddButton name={name} onAdd={() => (items.place ? setAdding(true) : void add(undefined))} />
        ))}
    </div>
  );
}

/** Elements of one type are named after the type until a name is given. */
function idOf(items: Items, taken: Set<string>): Record<string, unknown> {
  const properties = asSchema(items.schema.properties);
  if ('id' in properties) return { id: freeName('new', taken) };
  return 'type' in properties ? { type: '' } : {};
}

/** One thing of a type to choose: the type, and below it what that type asks for. */
export function BlockWidget(props: WidgetProps<'block'>) {
  const { field, name, path, value, error, isReadOnly, onChange, control } = props;
  const { definitions, readType } = useForm();
  const type = isMap(value) && typeof value.type === 'string' ? value.type : undefined;
  const schema = type === undefined ? undefined : typeSchema(definitions, field.place, type);
  return (
    <div className={styles.box}>
      <TypePicker
        place={field.place}
        type={type}
        label={control['aria-label'] ?? name}
        isInvalid={error !== false}
        isReadOnly={isReadOnly}
        onChoose={(next) =>
          void readType(field.place, next).then((known) => onChange(withType(known, value, next)))
        }
      />
      {isMap(value) && <ObjectForm key={type} schema={schema ?? {}} path={path} />}
    </div>
  );
}

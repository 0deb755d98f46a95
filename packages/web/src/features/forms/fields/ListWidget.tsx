import { ActionIcon } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { useForm, type WidgetProps } from '../FormHost.ts';
import { checkValue } from '../schema/check.ts';
import { fieldOf } from '../schema/field.ts';
import { emptyValue } from '../schema/newElement.ts';
import { AddButton } from './AddButton.tsx';
import styles from './fields.module.css';
import { Widget } from './Widget.tsx';

/** A list of plain values. One that is required begins with an empty row. */
export function ListWidget({
  field,
  name,
  path,
  value,
  isRequired,
  isReadOnly,
  control,
}: WidgetProps<'list'>) {
  const { t } = useTranslation();
  const { definitions, edit } = useForm();
  const item = fieldOf(definitions, field.items);
  const isThere = Array.isArray(value);
  const items: readonly unknown[] = isThere ? value : isRequired ? [emptyValue(item)] : [];
  const last = items.length - 1;
  return (
    <div className={styles.rows}>
      {items.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are edited in place and have no other identity.
        <div key={index} className={styles.row}>
          <div className={styles.grow}>
            <Widget
              field={item}
              name={`${name} ${index + 1}`}
              path={[...path, index]}
              value={one}
              parent={undefined}
              isRequired
              error={checkValue(item, one, false) !== undefined}
              isReadOnly={isReadOnly}
              onChange={(next) =>
                edit(
                  isThere
                    ? { kind: 'set', path: [...path, index], value: next ?? '' }
                    : { kind: 'set', path, value: [next ?? ''] },
                )
              }
              control={{
                id: `${control.id}-${index}`,
                'aria-label': `${name} ${index + 1}`,
              }}
            />
          </div>
          {!isReadOnly && isThere && (
            <span className={styles.rowTools}>
              {items.length > 1 && (
                <>
                  <ActionIcon
                    aria-label={t('form.up', { name: `${name} ${index + 1}` })}
                    disabled={index === 0}
                    onClick={() => edit({ kind: 'move', path, from: index, to: index - 1 })}
                  >
                    <IconArrowUp size={15} />
                  </ActionIcon>
                  <ActionIcon
                    aria-label={t('form.down', { name: `${name} ${index + 1}` })}
                    disabled={index === last}
                    onClick={() => edit({ kind: 'move', path, from: index, to: index + 1 })}
                  >
                    <IconArrowDown size={15} />
                  </ActionIcon>
                </>
              )}
              <ActionIcon
                aria-label={t('form.remove', { name: `${name} ${index + 1}` })}
                onClick={() => edit({ kind: 'set', path: [...path, index] })}
              >
                <IconTrash size={15} />
              </ActionIcon>
            </span>
          )}
        </div>
      ))}
      {!isReadOnly && (
        <AddButton
          name={name}
          isDisabled={!isThere && isRequired}
          onAdd={() => edit({ kind: 'insert', path, index: items.length, value: emptyValue(item) })}
        />
      )}
    </div>
  );
}

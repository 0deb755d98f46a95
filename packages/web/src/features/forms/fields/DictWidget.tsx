import { useForm } from '../FormHost.ts';
import { emptyValue } from '../schema/emptyValue.ts';
import { fieldOf } from '../schema/field.ts';
import { isMap } from '../source/edit.ts';
import { EntryRows, type EntryRowsProps } from './EntryRows.tsx';
import { Widget } from './Widget.tsx';
import type { WidgetProps } from './widgetProps.ts';

type DictWidgetProps = WidgetProps<'dict'> & Pick<EntryRowsProps, 'renderKey'>;

/** Values under names that the author chooses, or picks where there are some to pick from. */
export function DictWidget({ field, name, path, value, isReadOnly, control, renderKey }: DictWidgetProps) {
  const { definitions, edit } = useForm();
  const inner = fieldOf(definitions, field.values);
  const isTall = inner.kind === 'blocks' || inner.kind === 'object' || inner.kind === 'block';
  return (
    <EntryRows
      name={name}
      entries={Object.entries(isMap(value) ? value : {})}
      isReadOnly={isReadOnly}
      isTall={isTall}
      {...(renderKey && { renderKey })}
      onAdd={(key) => edit({ kind: 'set', path: [...path, key], value: emptyValue(inner) })}
      onRename={(key, next) => edit({ kind: 'rename', path: [...path, key], name: next })}
      onRemove={(key) => edit({ kind: 'set', path: [...path, key] })}
      renderValue={(key, one, index) => (
        <Widget
          field={inner}
          name={key || name}
          path={[...path, key]}
          value={one}
          parent={undefined}
          isRequired
          error={false}
          isReadOnly={isReadOnly || key === ''}
          onChange={(next) => edit({ kind: 'set', path: [...path, key], value: next ?? '' })}
          control={{
            id: `${control.id}-${index}`,
            'aria-label': key === '' ? `${name} ${index + 1}` : key,
          }}
        />
      )}
    />
  );
}

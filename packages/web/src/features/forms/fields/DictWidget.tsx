import { useForm } from '../FormHost.ts';
import { fieldOf } from '../schema/field.ts';
import { isMap } from '../source/edit.ts';
import { EntryRows } from './EntryRows.tsx';
import { Widget } from './Widget.tsx';
import type { WidgetProps } from './widgetProps.ts';

/** Values under names that the author chooses. */
export function DictWidget({ field, name, path, value, isReadOnly, control }: WidgetProps<'dict'>) {
  const { definitions, edit } = useForm();
  const inner = fieldOf(definitions, field.values);
  const isTall = inner.kind === 'blocks' || inner.kind === 'object' || inner.kind === 'block';
  return (
    <EntryRows
      name={name}
      entries={Object.entries(isMap(value) ? value : {})}
      isReadOnly={isReadOnly}
      isTall={isTall}
      onAdd={(key) => edit({ kind: 'set', path: [...path, key], value: inner.kind === 'blocks' ? [] : '' })}
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

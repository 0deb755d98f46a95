import { useForm } from '../FormHost.ts';
import { isMap } from '../source/edit.ts';
import { EntryRows } from './EntryRows.tsx';
import { TextWidget } from './scalars.tsx';
import type { WidgetProps } from './widgetProps.ts';

/** Labels: a map, or a list of keys and values where their author wrote one. */
export function PairsWidget({ field, name, path, value, isReadOnly, control }: WidgetProps<'pairs'>) {
  const { edit } = useForm();
  const list = Array.isArray(value) ? value.map((one) => (isMap(one) ? one : {})) : undefined;
  const entries = list
    ? list.map(({ key, value: one }) => [String(key ?? ''), one] as const)
    : Object.entries(isMap(value) ? value : {});
  const placeOf = (key: string, part: 'key' | 'value') =>
    list ? [...path, list.findIndex((one) => one.key === key), part] : [...path, key];
  return (
    <EntryRows
      name={name}
      entries={entries}
      isReadOnly={isReadOnly}
      onAdd={(key) =>
        edit(
          list
            ? { kind: 'insert', path, index: list.length, value: { key, value: '' } }
            : { kind: 'set', path: [...path, key], value: '' },
        )
      }
      onRename={(key, next) =>
        edit(
          list
            ? { kind: 'set', path: placeOf(key, 'key'), value: next }
            : { kind: 'rename', path: [...path, key], name: next },
        )
      }
      onRemove={(key) =>
        edit({ kind: 'set', path: list ? placeOf(key, 'key').slice(0, -1) : [...path, key] })
      }
      renderValue={(key, one, index) => (
        <TextWidget
          field={{ kind: 'string', schema: {}, isDynamic: field.isDynamic }}
          name={key}
          path={path}
          value={one}
          parent={undefined}
          isRequired
          error={false}
          isReadOnly={isReadOnly || key === ''}
          onChange={(next) => edit({ kind: 'set', path: placeOf(key, 'value'), value: next ?? '' })}
          control={{
            id: `${control.id}-${index}`,
            'aria-label': key === '' ? `${name} ${index + 1}` : key,
          }}
        />
      )}
    />
  );
}

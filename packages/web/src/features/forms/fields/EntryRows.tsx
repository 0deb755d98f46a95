import { ActionIcon, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { useForm, type WidgetProps } from '../FormHost.ts';
import { isMissing } from '../schema/check.ts';
import { fieldOf } from '../schema/field.ts';
import { emptyValue } from '../schema/newElement.ts';
import { isMap } from '../source/edit.ts';
import { AddButton } from './AddButton.tsx';
import styles from './fields.module.css';
import { TextWidget } from './scalars.tsx';
import { Widget } from './Widget.tsx';

export interface EntryRowsProps {
  readonly name: string;
  readonly entries: readonly (readonly [key: string, value: unknown])[];
  readonly isReadOnly: boolean;
  /** Tall values stand below their key. */
  readonly isTall?: boolean;
  /** The keys there are to choose from; any text without them. */
  readonly renderKey?: (choose: (key: string) => void, current: string, index: number) => ReactNode;
  onAdd(key: string): void;
  onRename(key: string, next: string): void;
  onRemove(key: string): void;
  readonly renderValue: (key: string, value: unknown, index: number) => ReactNode;
}

/** Keys beside values. A new row becomes part of the document with its key; until then it waits here. */
export function EntryRows(props: EntryRowsProps) {
  const { name, entries, isReadOnly, isTall = false, renderKey } = props;
  const { onAdd, onRename, onRemove, renderValue } = props;
  const { t } = useTranslation();
  const [hasDraft, setHasDraft] = useState(false);
  const keys = new Set(entries.map(([key]) => key));
  const rows = hasDraft ? [...entries, ['', undefined] as const] : entries;
  const last = entries.at(-1);
  const isUnfinished = hasDraft || (last !== undefined && (last[0] === '' || isMissing(last[1])));
  const add = (key: string) => {
    setHasDraft(false);
    onAdd(key);
  };
  return (
    <div className={styles.rows}>
      {rows.map(([key, value], index) => {
        const isDraft = index === entries.length;
        const choose = (next: string) => (isDraft ? add(next) : onRename(key, next));
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row keeps its place while its key is being written.
          <div key={index} className={styles.row} data-tall={isTall || undefined}>
            <div className={styles.key}>
              {renderKey ? (
                renderKey(choose, key, index)
              ) : (
                <KeyInput
                  label={t('form.keyOf', { name, number: index + 1 })}
                  value={key}
                  taken={keys}
                  isReadOnly={isReadOnly}
                  isEager={isDraft}
                  onCommit={choose}
                />
              )}
            </div>
            <div className={styles.grow}>{renderValue(key, value, index)}</div>
            {!isReadOnly && (
              <span className={styles.rowTools}>
                <ActionIcon
                  aria-label={t('form.remove', { name: key || name })}
                  onClick={() => (isDraft ? setHasDraft(false) : onRemove(key))}
                >
                  <IconTrash size={15} />
                </ActionIcon>
              </span>
            )}
          </div>
        );
      })}
      {!isReadOnly && <AddButton name={name} isDisabled={isUnfinished} onAdd={() => setHasDraft(true)} />}
    </div>
  );
}

interface KeyInputProps {
  readonly label: string;
  readonly value: string;
  readonly taken: ReadonlySet<string>;
  readonly isReadOnly: boolean;
  readonly isEager: boolean;
  onCommit(key: string): void;
}

/** A key is taken over when it is finished: half of one could be another that is there already. */
function KeyInput({ label, value, taken, isReadOnly, isEager, onCommit }: KeyInputProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<string>();
  const text = draft ?? value;
  const isTaken = text !== value && taken.has(text);
  const commit = () => {
    if (text !== value && text !== '' && !isTaken) onCommit(text);
    if (!isTaken) setDraft(undefined);
  };
  return (
    <TextInput
      aria-label={label}
      placeholder={t('label.key')}
      classNames={{ input: styles.code ?? '' }}
      spellCheck={false}
      autoFocus={isEager}
      readOnly={isReadOnly}
      error={isTaken ? t('form.keyTaken', { key: text }) : undefined}
      value={text}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
        if (event.key === 'Escape') setDraft(undefined);
      }}
    />
  );
}

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

import { type ComboboxItem, type ComboboxItemGroup, type OptionsFilter, Select } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { PluginIcon } from '../../topology/index.ts';
import { type Schema, typesOf } from '../schema/schema.ts';
import styles from './fields.module.css';

interface TypePickerProps {
  readonly place: Schema;
  readonly type: string | undefined;
  readonly label: string;
  readonly isInvalid?: boolean;
  readonly isReadOnly?: boolean;
  /** Opens at once, for a user who has just added an element. */
  readonly isEager?: boolean;
  onChoose(type: string): void;
  onCancel?(): void;
}

/** Every type that fits a place, found by any part of its name or by what it does. */
export function TypePicker(props: TypePickerProps) {
  const {
    place,
    type,
    label,
    isInvalid = false,
    isReadOnly = false,
    isEager = false,
    onChoose,
    onCancel,
  } = props;
  const { t } = useTranslation();
  const titles = useMemo(() => typesOf(place), [place]);
  const data = useMemo(() => groupTypes([...titles.keys()], type), [titles, type]);
  const filter: OptionsFilter = ({ options, search }) => filterGroups(options, search, titles);
  return (
    <Select
      aria-label={label}
      placeholder={t('form.chooseType')}
      data={data}
      filter={filter}
      searchable
      autoFocus={isEager}
      defaultDropdownOpened={isEager}
      allowDeselect={false}
      nothingFoundMessage={t('form.noType')}
      maxDropdownHeight={360}
      error={isInvalid}
      readOnly={isReadOnly}
      leftSection={type === undefined ? undefined : <PluginIcon type={type} size={16} />}
      classNames={{ input: styles.code ?? '', groupLabel: styles.group ?? '' }}
      value={type ?? null}
      onChange={(next) => next !== null && onChoose(next)}
      {...(onCancel && { onDropdownClose: onCancel })}
      renderOption={({ option }) => (
        <span className={styles.option}>
          <PluginIcon type={option.value} size={22} />
          <span>
            <span className={styles.optionName}>{option.label}</span>
            <span className={styles.optionTitle}>{titles.get(option.value)}</span>
          </span>
        </span>
      )}
    />
  );
}

type Options = (ComboboxItemGroup<ComboboxItem> | ComboboxItem)[];

/** By the part of the name before the last point; plain words have none and stay in their order. */
function groupTypes(types: readonly string[], current: string | undefined): Options {
  const all = current === undefined || types.includes(current) ? types : [current, ...types];
  const item = (value: string) => ({ value, label: value });
  const groups = new Map<string, string[]>();
  for (const type of all) {
    const group = type.includes('.') ? type.slice(0, type.lastIndexOf('.')) : '';
    groups.set(group, [...(groups.get(group) ?? []), type]);
  }
  return [...groups]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .flatMap(
      ([group, names]): Options =>
        group === '' ? names.map(item) : [{ group, items: names.toSorted().map(item) }],
    );
}

type Parsed = Parameters<OptionsFilter>[0]['options'];

function filterGroups(options: Parsed, search: string, titles: ReadonlyMap<string, string>): Parsed {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ value }: { value: unknown }) => {
    const text = `${String(value)} ${titles.get(String(value)) ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return options.flatMap((option): Parsed => {
    if (!('items' in option)) return fits(option) ? [option] : [];
    const items = option.items.filter(fits);
    return items.length > 0 ? [{ ...option, items }] : [];
  });
}

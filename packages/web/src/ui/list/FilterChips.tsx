import { Button, Menu, Popover } from '@mantine/core';
import { IconFilterPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import type { Condition, FilterField } from './condition.ts';
import { FilterChip, shownChips } from './FilterChip.tsx';
import { FilterEditor } from './FilterEditor.tsx';

export interface FilterChipsProps {
  fields: readonly FilterField[];
  conditions: readonly Condition[];
  onChange: (conditions: readonly Condition[]) => void;
}

/** The conditions of a list, each open to change, and the way to a further one. */
export function FilterChips({ fields, conditions, onChange }: FilterChipsProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<string>();
  // A field chosen from the menu has a chip while its value is chosen; left without one, the chip goes again.
  const [draft, setDraft] = useState<FilterField>();
  const close = () => {
    setOpen(undefined);
    setDraft(undefined);
  };
  const chips = shownChips(fields, conditions, draft);
  const replace = (old: Condition | undefined, next: Condition) => {
    const rest = conditions.filter((one) => one !== old && !isSame(one, next));
    const at = old ? conditions.indexOf(old) : rest.length;
    onChange(next.values.length > 0 ? rest.toSpliced(at, 0, next) : rest);
  };
  return (
    <>
      {chips.map(({ key, field, condition }) => (
        <Popover
          key={key}
          opened={open === key}
          onChange={(isOpen) => !isOpen && close()}
          position="bottom-start"
          trapFocus
          returnFocus
          width={280}
        >
          <Popover.Target>
            <FilterChip
              field={field}
              condition={condition}
              onClick={() => setOpen(open === key ? undefined : key)}
              onRemove={() => onChange(conditions.filter((one) => one !== condition))}
            />
          </Popover.Target>
          <Popover.Dropdown aria-label={t('filter.edit', { field: field.label })}>
            <FilterEditor
              field={field}
              condition={condition}
              onChange={(next) => replace(condition, next)}
              onDone={close}
            />
          </Popover.Dropdown>
        </Popover>
      ))}
      {fields.some((field) => !field.isProminent) && (
        <Menu position="bottom-start">
          <Menu.Target>
            <Button variant="subtle" color="gray" leftSection={<IconFilterPlus size={15} stroke={1.7} />}>
              {t('filter.add')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {fields.map((field) => (
              <Menu.Item
                key={field.name}
                onClick={() => {
                  setDraft(field);
                  setOpen(shownChips(fields, conditions, field).find((chip) => chip.field === field)?.key);
                }}
              >
                {field.label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  );
}

const isSame = (a: Condition, b: Condition) => a.field === b.field && a.operation === b.operation;

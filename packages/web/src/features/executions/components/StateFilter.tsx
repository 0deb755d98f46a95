import { Checkbox, Combobox, InputBase, useCombobox } from '@mantine/core';
import { type StateType, stateTypes } from '@millrace/contract';
import { useTranslation } from 'react-i18next';
import { StatePill } from '../../../ui/index.ts';

const offered = stateTypes.filter(
  (state) => !['SUBMITTED', 'RESUBMITTED', 'BREAKPOINT', 'SKIPPED'].includes(state),
);

interface StateFilterProps {
  value: StateType[] | undefined;
  onChange: (states: StateType[] | undefined) => void;
}

export function StateFilter({ value = [], onChange }: StateFilterProps) {
  const { t } = useTranslation();
  const combobox = useCombobox();
  const toggle = (state: StateType) => {
    const next = value.includes(state) ? value.filter((one) => one !== state) : [...value, state];
    onChange(next.length > 0 ? next : undefined);
  };
  return (
    <Combobox store={combobox} onOptionSubmit={(state) => toggle(state as StateType)} width={220}>
      <Combobox.Target>
        <InputBase
          component="button"
          type="button"
          pointer
          w={150}
          onClick={() => combobox.toggleDropdown()}
          rightSection={<Combobox.Chevron />}
          rightSectionPointerEvents="none"
          aria-label={t('filter.state')}
        >
          {value.length === 0 && <span style={{ color: 'var(--mr-text-muted)' }}>{t('filter.state')}</span>}
          {value.length === 1 && value[0] && <StatePill state={value[0]} size="sm" still />}
          {value.length > 1 && t('filter.states', { count: value.length })}
        </InputBase>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options mah={340} style={{ overflowY: 'auto' }}>
          {offered.map((state) => (
            <Combobox.Option key={state} value={state} active={value.includes(state)}>
              <span style={{ display: 'flex', gap: 10, alignItems: 'center' }}>
                <Checkbox
                  size="xs"
                  checked={value.includes(state)}
                  readOnly
                  tabIndex={-1}
                  aria-hidden="true"
                  style={{ pointerEvents: 'none' }}
                />
                <StatePill state={state} still />
              </span>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

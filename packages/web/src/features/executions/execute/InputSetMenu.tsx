import { ActionIcon, Button, Menu, TextInput } from '@mantine/core';
import { IconChevronDown, IconHistory, IconLink, IconTrash } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { showError, showSuccess } from '../../../shell/toasts.ts';
import type { FlowQueryData } from '../../flows/index.ts';
import type { InputValues } from '../inputs/inputValues.ts';
import styles from './InputSetMenu.module.css';
import { deleteInputSet, type KeptValues, keptValues, readInputSets, saveInputSet } from './inputSets.ts';

interface InputSetMenuProps {
  flow: FlowQueryData;
  values: InputValues;
  onApply: (values: KeptValues) => void;
}

/** Escape closes the menu only, not the dialog that it is in. */
const keepsDialog = { 'data-mantine-stop-propagation': true };

/** Inputs that were used or saved in this browser, and a link that carries the present ones. */
export function InputSetMenu({ flow, values, onApply }: InputSetMenuProps) {
  const { t } = useTranslation();
  const router = useRouter();
  const [kept, setKept] = useState(() => readInputSets(flow));
  const [label, setLabel] = useState('');
  const present = keptValues(flow.inputs ?? [], values);
  const { last } = kept;
  const save = () => {
    if (!label.trim()) return;
    saveInputSet(flow, label.trim(), present);
    setKept(readInputSets(flow));
    setLabel('');
  };
  const remove = (name: string) => {
    deleteInputSet(flow, name);
    setKept(readInputSets(flow));
  };
  const copyLink = async () => {
    const { publicHref } = router.buildLocation({
      to: '/{-$tenant}/flows/edit/$namespace/$id/{-$tab}',
      params: { namespace: flow.namespace, id: flow.id },
      search: { execute: 'true', inputs: JSON.stringify(present) },
    });
    try {
      await navigator.clipboard.writeText(window.location.origin + publicHref);
      showSuccess(t('copied'));
    } catch {
      showError(new Error(t('copyFailed')));
    }
  };
  return (
    <Menu position="bottom-start" width={300} closeOnItemClick={false}>
      <Menu.Target>
        <Button variant="default" size="compact-sm" rightSection={<IconChevronDown size={14} />}>
          {t('execute.sets.title')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown {...keepsDialog}>
        {last && (
          <Menu.Item
            {...keepsDialog}
            closeMenuOnClick
            leftSection={<IconHistory size={15} stroke={1.7} />}
            onClick={() => onApply(last)}
          >
            {t('execute.sets.last')}
          </Menu.Item>
        )}
        {kept.sets.map(({ label: name, values: set }) => (
          <div key={name} className={styles.set}>
            <Menu.Item {...keepsDialog} closeMenuOnClick onClick={() => onApply(set)}>
              <span className={styles.name}>{name}</span>
            </Menu.Item>
            <ActionIcon
              {...keepsDialog}
              aria-label={t('execute.sets.delete', { name })}
              onClick={() => remove(name)}
            >
              <IconTrash size={15} stroke={1.7} />
            </ActionIcon>
          </div>
        ))}
        {!last && kept.sets.length === 0 && <Menu.Label>{t('execute.sets.none')}</Menu.Label>}
        <Menu.Divider />
        <div className={styles.save}>
          <TextInput
            size="xs"
            {...keepsDialog}
            aria-label={t('execute.sets.name')}
            placeholder={t('execute.sets.name')}
            value={label}
            onChange={(event) => setLabel(event.currentTarget.value)}
            onKeyDown={(event: KeyboardEvent) => {
              // The menu moves with letters and arrows, and the form starts on Enter.
              if (event.key !== 'Escape' && event.key !== 'Tab') event.stopPropagation();
              if (event.key !== 'Enter') return;
              event.preventDefault();
              save();
            }}
          />
          <Button {...keepsDialog} size="xs" variant="default" disabled={!label.trim()} onClick={save}>
            {t('action.save')}
          </Button>
        </div>
        <Menu.Divider />
        <Menu.Item
          {...keepsDialog}
          closeMenuOnClick
          leftSection={<IconLink size={15} stroke={1.7} />}
          onClick={() => void copyLink()}
        >
          {t('execute.sets.link')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

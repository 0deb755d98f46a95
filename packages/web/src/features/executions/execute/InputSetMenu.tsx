import { ActionIcon, Button, Menu, TextInput } from '@mantine/core';
import type { Input } from '@millrace/contract';
import { IconChevronDown, IconHistory, IconLink, IconTrash } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useState } from 'react';
import { z } from 'zod';
import { currentTenant } from '../../../api/tenant.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { showError, showSuccess } from '../../../shell/toasts.ts';
import { readStored, writeStored } from '../../../storage/storage.ts';
import type { FlowKey, FlowQueryData } from '../../flows/index.ts';
import type { InputValues } from '../inputs/inputValues.ts';
import styles from './InputSetMenu.module.css';

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

const Value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
const Values = z.record(z.string(), Value);
const Kept = z.object({
  /** What the last start from this browser used. */
  last: Values.optional(),
  /** Named by the user, newest first. */
  sets: z.array(z.object({ label: z.string().min(1), values: Values })),
});

type KeptInputs = z.infer<typeof Kept>;
export type KeptValues = z.infer<typeof Values>;

const mostSets = 50;
const keyOf = ({ namespace, id }: FlowKey) => `inputs:${currentTenant() ?? ''}/${namespace}/${id}` as const;

export function readInputSets(flow: FlowKey): KeptInputs {
  try {
    return Kept.parse(JSON.parse(readStored(keyOf(flow)) ?? '{"sets":[]}'));
  } catch {
    // A value that another program stored must not keep the form from opening.
    return { sets: [] };
  }
}

const write = (flow: FlowKey, kept: KeptInputs) => writeStored(keyOf(flow), JSON.stringify(kept));

export function keepLastInputs(flow: FlowKey, values: KeptValues): void {
  if (Object.keys(values).length > 0) write(flow, { ...readInputSets(flow), last: values });
}

/** A set with the same label is replaced. */
export function saveInputSet(flow: FlowKey, label: string, values: KeptValues): void {
  const kept = readInputSets(flow);
  const others = kept.sets.filter((set) => set.label !== label);
  write(flow, { ...kept, sets: [{ label, values }, ...others].slice(0, mostSets) });
}

export function deleteInputSet(flow: FlowKey, label: string): void {
  const kept = readInputSets(flow);
  write(flow, { ...kept, sets: kept.sets.filter((set) => set.label !== label) });
}

/** The values that a browser may keep and a link may carry: no secrets, and no files. */
export function keptValues(inputs: readonly Input[], values: InputValues): KeptValues {
  return Object.fromEntries(
    inputs.flatMap(({ id, type }) => {
      const value = values[id];
      return type === 'SECRET' || value === undefined || value === '' || value instanceof File
        ? []
        : [[id, value] as const];
    }),
  );
}

/** Values for the form: those given for inputs that the flow has; the others stay as they are. */
export function applyValues(inputs: readonly Input[], values: InputValues, given: KeptValues): InputValues {
  const known = inputs.filter(
    ({ id, type }) => Object.hasOwn(given, id) && type !== 'SECRET' && type !== 'FILE',
  );
  return { ...values, ...Object.fromEntries(known.map(({ id }) => [id, given[id]])) };
}

/** The values that a link carries; undefined when it carries none that can be read. */
export function parseLinkedValues(text: string | undefined): KeptValues | undefined {
  if (text === undefined) return undefined;
  try {
    return Values.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

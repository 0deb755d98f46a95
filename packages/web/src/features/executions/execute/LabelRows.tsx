import { ActionIcon, Button, TextInput } from '@mantine/core';
import type { Label } from '@millrace/contract';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import styles from './LabelRows.module.css';

/** A row with only one half filled in cannot be sent. */
export const isHalfFilled = ({ key, value }: Label): boolean => (key === '') !== (value === '');

interface LabelRowsProps {
  labels: readonly Label[];
  onChange: (labels: Label[]) => void;
}

export function LabelRows({ labels, onChange }: LabelRowsProps) {
  const { t } = useTranslation();
  const edit = (index: number, part: Partial<Label>) =>
    onChange(labels.map((label, at) => (at === index ? { ...label, ...part } : label)));
  return (
    <div className={styles.rows}>
      {labels.map((label, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are edited in place and have no other identity.
        <div key={index} className={styles.row}>
          <TextInput
            placeholder={t('label.key')}
            aria-label={t('label.key')}
            value={label.key}
            onChange={(event) => edit(index, { key: event.currentTarget.value })}
          />
          <TextInput
            placeholder={t('label.value')}
            aria-label={t('label.value')}
            value={label.value}
            onChange={(event) => edit(index, { value: event.currentTarget.value })}
          />
          <ActionIcon
            onClick={() => onChange(labels.filter((_, at) => at !== index))}
            aria-label={t('label.remove')}
          >
            <IconTrash size={16} stroke={1.7} />
          </ActionIcon>
        </div>
      ))}
      {labels.some(isHalfFilled) && <p className={styles.error}>{t('label.half')}</p>}
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange([...labels, { key: '', value: '' }])}
      >
        {t('label.add')}
      </Button>
    </div>
  );
}

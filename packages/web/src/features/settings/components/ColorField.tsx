import { ActionIcon, Input } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './ColorField.module.css';

interface ColorFieldProps {
  label: string;
  value: string;
  fallback: string | undefined;
  onChange: (value: string) => void;
}

const isPlain = (color: string): boolean => /^#[0-9a-f]{6}$/i.test(color);

/** A colour by the browser's own picker, or none. */
export function ColorField({ label, value, fallback, onChange }: ColorFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const shown = [value, fallback ?? ''].find(isPlain) ?? '#2451d6';
  return (
    <Input.Wrapper label={label} id={id}>
      <div className={styles.row}>
        <input
          id={id}
          type="color"
          className={styles.picker}
          value={shown}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        <span className={styles.text}>{value || t('settings.noColor')}</span>
        {value && (
          <ActionIcon onClick={() => onChange('')} aria-label={t('settings.clearColor')}>
            <IconX size={15} stroke={1.8} />
          </ActionIcon>
        )}
      </div>
    </Input.Wrapper>
  );
}

import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import styles from './fields.module.css';

interface AddButtonProps {
  /** The list that the button adds to. */
  readonly name: string;
  readonly isDisabled?: boolean;
  onAdd(): void;
}

export function AddButton({ name, isDisabled = false, onAdd }: AddButtonProps) {
  const { t } = useTranslation();
  return (
    <Button
      className={styles.add ?? ''}
      variant="subtle"
      size="compact-sm"
      leftSection={<IconPlus size={14} />}
      disabled={isDisabled}
      onClick={onAdd}
    >
      {t('form.addTo', { name })}
    </Button>
  );
}

import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { confirm } from '../../ui/index.ts';
import styles from './alerts.module.css';

interface DeleteButtonProps {
  /** What is deleted, as the title of the question. */
  title: string;
  consequence: string;
  remove: () => Promise<unknown>;
  onDone: () => void;
}

/** Deletes a rule or a channel after a question. */
export function DeleteButton({ title, consequence, remove, onDone }: DeleteButtonProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const ask = async () => {
    const agreed = await confirm({
      title,
      body: consequence,
      confirm: t('action.delete'),
      cancel: t('action.cancel'),
      dangerous: true,
    });
    if (!agreed) return;
    await remove();
    onDone();
    await client.invalidateQueries({ queryKey: ['alerts'] });
  };
  return (
    <Button
      className={styles.foot}
      variant="subtle"
      color="red"
      onClick={() => void ask().catch(() => {})} // The failure has been shown already.
    >
      {t('action.delete')}
    </Button>
  );
}

import { IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { type BulkAction, BulkActions } from './BulkActions.tsx';

type BulkDeleteProps = Pick<BulkAction, 'title' | 'text' | 'act'> & { onDone: () => void };

/** For lists whose rows can be deleted and nothing else. */
export function BulkDelete({ onDone, ...question }: BulkDeleteProps) {
  const { t } = useTranslation();
  return (
    <BulkActions
      onDone={onDone}
      actions={[{ ...question, name: t('action.delete'), Icon: IconTrash, dangerous: true }]}
    />
  );
}

import { ActionIcon } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './DataTable.module.css';

/** Which rows are unfolded. */
export function useUnfolded() {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return {
    has: (id: string) => ids.has(id),
    toggle: (id: string) => setIds((old) => (old.has(id) ? without(old, id) : new Set([...old, id]))),
  };
}

const without = (ids: ReadonlySet<string>, id: string): ReadonlySet<string> =>
  new Set([...ids].filter((one) => one !== id));

export function UnfoldButton({ id, unfolded }: { id: string; unfolded: ReturnType<typeof useUnfolded> }) {
  const { t } = useTranslation();
  const isOpen = unfolded.has(id);
  return (
    <ActionIcon
      size={24}
      className={styles.unfold}
      aria-expanded={isOpen}
      aria-label={t('table.detailsOf', { name: id })}
      onClick={() => unfolded.toggle(id)}
    >
      <IconChevronRight size={15} stroke={1.8} />
    </ActionIcon>
  );
}

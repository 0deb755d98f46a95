import { ActionIcon, ComboboxChevron, Input } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { pageSizes } from '../list/plainQuery.ts';
import styles from './Pager.module.css';

interface PagerProps {
  page: number;
  size: number;
  total: number;
  onPage: (page: number) => void;
  onSize: (size: number) => void;
}

export function Pager({ page, size, total, onPage, onSize }: PagerProps) {
  const { t } = useTranslation();
  const last = Math.max(1, Math.ceil(total / size));
  const from = Math.min((page - 1) * size + 1, total);
  const to = Math.min(page * size, total);
  return (
    <div className={styles.pager}>
      <span>{t('table.range', { from, to, total })}</span>
      {/* Not a `NativeSelect`, for the reason that the text filter is no `TextInput`. */}
      <Input
        component="select"
        className={styles.size}
        size="xs"
        pointer
        value={String(size)}
        onChange={(event) => onSize(Number(event.currentTarget.value))}
        rightSection={<ComboboxChevron size="xs" />}
        aria-label={t('table.pageSize')}
      >
        {pageSizes.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </Input>
      <ActionIcon onClick={() => onPage(page - 1)} disabled={page <= 1} aria-label={t('table.previous')}>
        <IconChevronLeft size={17} />
      </ActionIcon>
      <ActionIcon onClick={() => onPage(page + 1)} disabled={page >= last} aria-label={t('table.next')}>
        <IconChevronRight size={17} />
      </ActionIcon>
    </div>
  );
}

import { IconLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Hint } from './Hint.tsx';

/** Marks what this edition only describes; it says so to whoever points at it. */
export function EnterpriseLock() {
  const { t } = useTranslation();
  return (
    <Hint label={t('upsell.needed')}>
      <IconLock size={13} stroke={1.8} role="img" aria-label={t('enterprise.name')} />
    </Hint>
  );
}

import { IconLock } from '@tabler/icons-react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Hint } from '../Hint.tsx';
import { EmptyState } from './EmptyState.tsx';

interface UpsellProps {
  title: string;
  text: string;
}

/** A feature that this edition does not have, and what it would do. */
export function Upsell({ title, text }: UpsellProps) {
  const { t } = useTranslation();
  return <EmptyState illustration="closedGate" title={title} text={`${text} ${t('upsell.needed')}`} />;
}

/** Marks a feature that this edition lacks; its tooltip says so. */
export function EnterpriseLock() {
  const { t } = useTranslation();
  return (
    <Hint label={t('upsell.needed')}>
      <IconLock size={13} stroke={1.8} role="img" aria-label={t('enterprise.name')} />
    </Hint>
  );
}

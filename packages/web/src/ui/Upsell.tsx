import { useTranslation } from 'react-i18next';
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

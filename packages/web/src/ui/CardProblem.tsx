import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import styles from './CardProblem.module.css';

/** Why a card or a panel is empty, in the words of the server, and another try where it can help. */
export function CardProblem({ message, onRetry }: { message: string; onRetry?: (() => void) | undefined }) {
  const { t } = useTranslation();
  return (
    <div className={styles.error} role="alert">
      <span>{message}</span>
      {onRetry && (
        <Button variant="default" size="compact-sm" onClick={onRetry}>
          {t('action.retry')}
        </Button>
      )}
    </div>
  );
}

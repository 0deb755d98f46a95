import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useLayoutEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../ui/EmptyState.tsx';
import { configurationQuery } from './configuration.ts';
import { useGeneralResources } from './useGeneralResources.ts';

/** Keeps the page behind its loader until the server has said who it is, then shows the app. */
export function Start({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { data, error, refetch, isFetching } = useQuery(configurationQuery);
  useGeneralResources(data);
  const isReady = data !== undefined || error !== null;

  // Before the browser paints: what is drawn is then seen with the first paint.
  useLayoutEffect(() => {
    if (isReady) revealApp();
  }, [isReady]);

  if (data) return children;
  if (!error) return null;
  return (
    <EmptyState
      illustration="closedGate"
      title={t('start.failed')}
      text={t('start.failedText')}
      detail={error.message}
      action={
        <Button onClick={() => void refetch()} loading={isFetching}>
          {t('action.retry')}
        </Button>
      }
    />
  );
}

function revealApp(): void {
  document.getElementById('loader')?.setAttribute('hidden', '');
  document.getElementById('app')?.removeAttribute('hidden');
}

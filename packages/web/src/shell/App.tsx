import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type AnyRouter, RouterProvider } from '@tanstack/react-router';
import { useEffect } from 'react';
import { beginActivity } from '../api/activity.ts';
import { onFailure } from '../api/failures.ts';
import { colorSchemeManager, cssVariables, theme } from '../theme/theme.ts';
import { setCoreError } from './coreError.ts';
import { handleFailure } from './handleFailure.tsx';
import { startProgressBar } from './progress.ts';
import { Start } from './Start.tsx';
import { closeErrors } from './toasts.tsx';

export function App({ router, queryClient }: { router: AnyRouter; queryClient: QueryClient }) {
  useEffect(startProgressBar, []);
  useEffect(() => onFailure(handleFailure), []);
  useEffect(() => followNavigation(router), [router]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queryClient}>
        <ModalsProvider>
          <Notifications position="bottom-right" limit={5} containerWidth={420} />
          <Start>
            <RouterProvider router={router} />
          </Start>
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** What a change of address does outside the page: the progress bar, old error toasts, the error page. */
function followNavigation(router: AnyRouter): () => void {
  let end = () => {};
  const stops = [
    router.subscribe('onBeforeLoad', (event) => {
      if (!event.hrefChanged) return;
      end();
      end = beginActivity();
      setCoreError(undefined);
      if (event.pathChanged) closeErrors();
    }),
    router.subscribe('onResolved', () => end()),
  ];
  return () => {
    for (const stop of stops) stop();
    end();
  };
}

import { MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type AnyRouter, RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { beginActivity } from '../api/activity.ts';
import { onFailure } from '../api/failures.ts';
import { report } from '../reports/reports.ts';
import { onProblem } from '../state/problems.ts';
import { useSetting } from '../storage/settings.ts';
import { useStored } from '../storage/storage.ts';
import { colorSchemeManager, cssVariables, theme } from '../theme/theme.ts';
import { ConfirmHost } from '../ui/ConfirmHost.tsx';
import { setCoreError } from './coreError.ts';
import { followSession } from './followSession.ts';
import { handleFailure } from './handleFailure.tsx';
import { startProgressBar } from './progress.ts';
import { Start } from './Start.tsx';
import { closeErrors, showTitledError, useToasterWanted } from './toasts.ts';

const JobTray = lazy(() => import('./jobs/JobTray.tsx').then((module) => ({ default: module.JobTray })));
const Toaster = lazy(() => import('./toaster.tsx').then((module) => ({ default: module.Toaster })));

export function App({ router, queryClient }: { router: AnyRouter; queryClient: QueryClient }) {
  useEffect(startProgressBar, []);
  useEffect(() => onFailure(handleFailure), []);
  useEffect(() => onProblem(showTitledError), []);
  useEffect(() => followNavigation(router), [router]);
  useEffect(() => followSession(router), [router]);
  const chartScheme = useSetting('chartScheme');
  useEffect(() => {
    document.documentElement.dataset.charts = chartScheme;
  }, [chartScheme]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queryClient}>
        <ToastHost />
        <ConfirmHost />
        <JobHost />
        <Start>
          <RouterProvider router={router} />
        </Start>
      </QueryClientProvider>
    </MantineProvider>
  );
}

function ToastHost() {
  if (!useToasterWanted()) return null;
  return (
    <Suspense>
      <Toaster />
    </Suspense>
  );
}

/** Long actions on the server; few visits have any. */
function JobHost() {
  if (useStored('jobs') === undefined) return null;
  return (
    <Suspense>
      <JobTray />
    </Suspense>
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
      if (event.pathChanged) closeErrors();
    }),
    router.subscribe('onResolved', (event) => {
      end();
      // Not sooner: the page that failed would come back for a moment and fail again.
      if (!event.hrefChanged) return;
      setCoreError(undefined);
      report({ type: 'PAGE' });
    }),
  ];
  return () => {
    for (const stop of stops) stop();
    end();
  };
}

import { MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type AnyRouter, RouterProvider } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import type { ApiError } from '../api/ApiError.ts';
import { onFailure } from '../api/ApiError.ts';
import { beginActivity } from '../api/activity.ts';
import { onSessionLost } from '../api/session.ts';
import { report } from '../reports/reports.ts';
import { tenantOf } from '../routing/tenant.ts';
import { onProblem } from '../state/problems.ts';
import { useSetting } from '../storage/settings.ts';
import { useStored } from '../storage/storage.ts';
import { colorSchemeManager, cssVariables, theme } from '../theme/theme.ts';
import { ConfirmHost } from '../ui/confirm/ConfirmHost.tsx';
import { lazyPart } from '../ui/lazyPart.tsx';
import { setCoreError } from './ErrorPage.tsx';
import { startProgressBar } from './progress.ts';
import { Start } from './Start.tsx';
import { closeErrors, showError, showTitledError, useToasterWanted } from './toasts.ts';
import { suspendUnsavedGuards } from './useUnsavedGuard.ts';

const JobTray = lazyPart(() => import('./notices/JobTray.tsx'), 'JobTray');
const Toaster = lazyPart(() => import('./toaster.tsx'), 'Toaster');

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

/** A lost session leads to the login page, which leads back to where it was lost. */
function followSession(router: AnyRouter): () => void {
  return onSessionLost(({ expired }) => {
    const { location, resolvedLocation } = router.state;
    // Also while it is being left: what is refused on the way to a page is refused again once the page is there.
    if ([location, resolvedLocation].some((place) => place?.pathname.endsWith('/login'))) return;
    suspendUnsavedGuards();
    const tenant = tenantOf(router);
    void router.navigate({
      to: tenant ? `/${tenant}/login` : '/login',
      search: { ...(expired && { expired: '1' }), from: location.href },
      replace: true,
    });
  });
}

/**
 * What the user sees of a failed call. No answer at all stays silent here, because the page that asked shows its own
 * retry; 400 belongs to the form that sent it; 401 has led to the login page already.
 */
function handleFailure(failure: ApiError): void {
  const { status, body } = failure;
  if (status === 0 || status === 400 || status === 401) return;
  if (status === 404) setCoreError(404);
  else if (status === 403 && body === undefined) setCoreError(403);
  else showError(failure);
}

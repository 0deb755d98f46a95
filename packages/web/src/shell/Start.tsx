import { Button } from '@mantine/core';
import { type Configuration, provider } from '@millrace/contract';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react';
import { call } from '../api/call.ts';
import { useTranslation } from '../i18n/useTranslation.ts';
import { startReports } from '../reports/reports.ts';
import { browserId } from '../storage/uid.ts';
import { afterPaint } from '../ui/afterPaint.ts';
import { EmptyState } from '../ui/page/EmptyState.tsx';
import { configurationQuery } from './configuration.ts';
import { feedsQuery } from './context/feeds.ts';

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

const providerConfigQuery = queryOptions({
  queryKey: ['provider', 'config'],
  queryFn: ({ signal }) => call(provider.getProviderConfig, { signal, failures: 'handled' }),
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
});

/** Background work that starts once the first page is painted; the app does not wait for it. */
function useGeneralResources(configuration: Configuration | undefined): void {
  const client = useQueryClient();
  const [isPainted, setPainted] = useState(false);
  useEffect(() => void afterPaint().then(() => setPainted(true)), []);
  const { data: providerConfig } = useQuery({
    ...providerConfigQuery,
    enabled: isPainted && configuration !== undefined,
  });

  useEffect(() => {
    if (isPainted && configuration) void client.prefetchQuery(feedsQuery(configuration));
  }, [client, configuration, isPainted]);

  useEffect(() => {
    if (!configuration || configuration.isAnonymousUsageEnabled === false) return;
    return startReports({ iid: configuration.uuid, uid: browserId() });
  }, [configuration]);

  useEffect(() => {
    if (!configuration || configuration.isAnonymousUsageEnabled === false) return;
    if (!providerConfig?.posthog) return;
    return startAnalytics(providerConfig.posthog, {
      configId: providerConfig.id,
      iid: configuration.uuid,
      uid: browserId(),
      version: configuration.version,
    });
  }, [configuration, providerConfig]);
}

/** Where usage statistics go, when the provider's configuration says so. */
interface AnalyticsTarget {
  readonly token: string;
  readonly apiHost: string;
}

interface AnalyticsIdentity {
  readonly configId: string;
  readonly iid: string;
  readonly uid: string;
  readonly version: string;
}

/** Captures the end of a visit and the reports of the app itself; neither page views nor clicks. */
const options = { capture_pageview: false, capture_pageleave: true, autocapture: false } as const;

/**
 * Anonymous usage statistics: one alias that ties the browser to the provider's id of it, then an event when the
 * page is left. Every event carries the same few properties. The returned function ends it.
 */
function startAnalytics({ token, apiHost }: AnalyticsTarget, identity: AnalyticsIdentity): () => void {
  const properties = {
    from: 'APP',
    iid: identity.iid,
    uid: identity.uid,
    app: { version: identity.version, type: 'OSS' },
    ...options,
  };
  const send = (event: string, more: Record<string, unknown> = {}) =>
    void fetch(`${apiHost.replace(/\/+$/, '')}/capture/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        api_key: token,
        event,
        distinct_id: identity.uid,
        properties: { ...properties, ...more },
      }),
      keepalive: true,
    }).catch(() => {});

  send('$create_alias', { alias: identity.configId });
  const leave = () => send('$pageleave', { $current_url: location.href });
  window.addEventListener('pagehide', leave);
  return () => window.removeEventListener('pagehide', leave);
}

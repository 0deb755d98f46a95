/** Where usage statistics go, when the provider's configuration says so. */
export interface AnalyticsTarget {
  readonly token: string;
  readonly apiHost: string;
}

export interface AnalyticsIdentity {
  readonly configId: string;
  readonly iid: string;
  readonly uid: string;
  readonly version: string;
}

/** What is captured: that a visit ends, and what the app reports itself. Neither page views nor clicks. */
const options = { capture_pageview: false, capture_pageleave: true, autocapture: false } as const;

/**
 * Anonymous usage statistics: one alias that ties the browser to the provider's id of it, then an event when the
 * page is left. Every event carries the same few properties. The returned function ends it.
 */
export function startAnalytics({ token, apiHost }: AnalyticsTarget, identity: AnalyticsIdentity): () => void {
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

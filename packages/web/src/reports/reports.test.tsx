import { executions, flows, product, provider, stats } from '@millrace/contract';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { call } from '../api/call.ts';
import { aConfiguration, failure, fakeServer, reply } from '../testing/fakeServer.ts';
import { renderAt } from '../testing/renderAt.tsx';

const pages = [
  reply(flows.searchFlows, () => ({ results: [], total: 0 })),
  reply(flows.listNamespaces, () => []),
  reply(executions.searchExecutions, () => ({ results: [], total: 0 })),
  reply(stats.getDailyExecutions, () => []),
];
const allowed = reply(product.getConfiguration, () => aConfiguration({ isAnonymousUsageEnabled: true }));
const config = reply(provider.getProviderConfig, () => ({
  id: 'config-1',
  posthog: { token: 'key', apiHost: 'https://stats.example' },
}));
const events = reply(provider.reportEvent, () => undefined);

type Server = ReturnType<typeof fakeServer>;
const bodiesOf = (server: Server, path: string) =>
  server.requests
    .filter((request) => request.path === path)
    .map(({ body }) => JSON.parse(String(body)) as Record<string, unknown>);

describe('reports', () => {
  it('S1-7.1 S1-7.2 S1-7.3 S1-3.14 S2-1.6 the start reads the configuration, the provider and the news once each', async () => {
    const server = fakeServer(...pages);
    renderAt('/flows');
    await screen.findByText('No flows yet');
    await waitFor(() => expect(server.to(provider.getFeeds)).toHaveLength(1));
    expect(server.to(product.getConfiguration)).toHaveLength(1);
    expect(server.to(provider.getProviderConfig)).toHaveLength(1);
    expect(server.to(product.getConfiguration)[0]?.path).toBe('/api/v1/configs');
    expect(server.to(provider.getFeeds)[0]?.path).toBe('/v1/feeds');
    const uid = localStorage.getItem('uid');
    expect(uid).toMatch(/^\w{20,}$/);
    expect(Object.fromEntries(server.to(provider.getFeeds)[0]?.query ?? [])).toEqual({
      version: '0.1.0',
      iid: 'u1',
      uid,
    });
  });

  it('S1-7.12 S1-3.4 S2-7p.4 nothing is sent when the configuration does not allow it', async () => {
    const server = fakeServer(...pages, config, events);
    renderAt('/flows');
    await screen.findByText('No flows yet');
    window.dispatchEvent(new Event('pagehide'));
    await waitFor(() => expect(server.to(provider.getProviderConfig)).toHaveLength(1));
    expect(server.to(provider.reportEvent)).toEqual([]);
    expect(bodiesOf(server, '/capture/')).toEqual([]);
  });

  it('S1-3.4 S1-3.5 S1-7.13 S1-7.14 S1-7.15 statistics carry where they come from, alias once and capture only the leave', async () => {
    const server = fakeServer(...pages, allowed, config, events);
    renderAt('/flows');
    await waitFor(() => expect(bodiesOf(server, '/capture/')).toHaveLength(1));
    window.dispatchEvent(new Event('pagehide'));
    const [alias, leave] = bodiesOf(server, '/capture/');
    const uid = localStorage.getItem('uid');
    expect(alias).toMatchObject({
      api_key: 'key',
      event: '$create_alias',
      distinct_id: uid,
      properties: {
        alias: 'config-1',
        from: 'APP',
        iid: 'u1',
        uid,
        app: { version: '0.1.0', type: 'OSS' },
        capture_pageview: false,
        capture_pageleave: true,
        autocapture: false,
      },
    });
    expect(leave).toMatchObject({ event: '$pageleave', properties: { from: 'APP' } });
  });

  it('S1-7.9 S1-8.12 S1-3.11 each error that is shown is reported with its request', async () => {
    const server = fakeServer(
      ...pages,
      allowed,
      events,
      reply(flows.getFlow, () =>
        failure(422, {
          message: 'Invalid entity: tasks',
          _embedded: { errors: [{ path: 'tasks', message: 'missing' }] },
        }),
      ),
    );
    renderAt('/flows');
    await screen.findByText('No flows yet');
    await call(flows.getFlow, { params: { namespace: 'shop', id: 'nightly' } }).catch(() => {});
    await screen.findByText('Invalid entity');
    const errors = bodiesOf(server, '/v1/reports/events').filter(({ type }) => type === 'ERROR');
    expect(errors).toEqual([
      expect.objectContaining({
        iid: 'u1',
        page: expect.objectContaining({ path: expect.any(String) }),
        error: {
          message: 'Invalid entity: tasks',
          errors: [{ path: 'tasks', message: 'missing' }],
          response: { status: 422 },
          request: { url: '/api/v1/flows/shop/nightly', method: 'GET' },
        },
      }),
    ]);
  });

  it('a report that cannot be delivered shows no error', async () => {
    fakeServer(...pages, allowed, events);
    const real = globalThis.fetch;
    vi.stubGlobal('fetch', (url: string, init?: RequestInit) =>
      url.startsWith('/v1/reports') ? Promise.reject(new TypeError('offline')) : real(url, init),
    );
    renderAt('/flows');
    await screen.findByText('No flows yet');
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

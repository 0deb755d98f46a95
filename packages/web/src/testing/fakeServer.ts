import { type Endpoint, product, type ReplyOf } from '@millrace/contract';
import { vi } from 'vitest';
import { FakeUploadRequest } from './FakeUploadRequest.ts';

export interface FakeRequest {
  method: string;
  path: string;
  params: Record<string, string>;
  query: URLSearchParams;
  body: unknown;
}

type Described = Pick<Endpoint, 'method' | 'path' | 'reply'>;
interface Route {
  endpoint: Described;
  reply: (request: FakeRequest) => unknown;
}

/** Responds to one endpoint. The reply is checked against the contract, so that a fake cannot drift from the server. */
export const reply = <E extends Described>(
  endpoint: E,
  reply: (request: FakeRequest) => ReplyOf<E> | Response | Promise<ReplyOf<E> | Response>,
): Route => ({ endpoint, reply });

export const failure = (status: number, body?: unknown): Response =>
  new Response(body === undefined ? null : JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json' },
  });

const filter = (value: string, ...operations: string[]) => ({
  name: value,
  value,
  operations: operations.map((name) => ({ name, value: name })),
});
const everywhere = [
  filter('namespace', 'EQUALS', 'NOT_EQUALS', 'STARTS_WITH', 'IN'),
  filter('flowId', 'EQUALS', 'NOT_EQUALS', 'CONTAINS'),
  filter('scope', 'EQUALS'),
];
const ofExecutions = [
  ...everywhere,
  filter('state', 'EQUALS', 'NOT_EQUALS', 'IN', 'NOT_IN'),
  filter('labels', 'EQUALS', 'NOT_EQUALS'),
  filter('childFilter', 'EQUALS'),
  filter('triggerExecutionId', 'EQUALS'),
];
/** As the server describes them, in short. */
const filterCatalogue = [
  { name: 'execution', fields: ofExecutions },
  { name: 'task', fields: ofExecutions },
  { name: 'flow', fields: [...everywhere, filter('labels', 'EQUALS', 'NOT_EQUALS')] },
  { name: 'log', fields: [...everywhere, filter('triggerId', 'EQUALS'), filter('level', 'EQUALS')] },
  { name: 'trigger', fields: [...everywhere, filter('triggerId', 'EQUALS'), filter('workerId', 'EQUALS')] },
  { name: 'template', fields: [filter('namespace', 'EQUALS', 'STARTS_WITH')] },
];

export const aConfiguration = (changes: Partial<ReplyOf<typeof product.getConfiguration>> = {}) => ({
  uuid: 'u1',
  version: '0.1.0',
  edition: 'OSS',
  isCustomDashboardsEnabled: true,
  isBasicAuthEnabled: false,
  isAnonymousUsageEnabled: false,
  isTaskRunEnabled: true,
  isTemplateEnabled: true,
  systemNamespace: 'system',
  hiddenLabelsPrefixes: ['system.'],
  preview: { initial: 100, max: 5_000 },
  resourceToFilters: filterCatalogue,
  ...changes,
});

/** A fake server behind `fetch`. Of two routes for one endpoint the later wins; a request without a route gets a 404. */
export function fakeServer(...given: Route[]) {
  const routes = [reply(product.getConfiguration, () => aConfiguration()), ...given];
  const requests: FakeRequest[] = [];
  // As on the server, literal segments win over parameters.
  const byPriority = routes.toReversed().toSorted((a, b) => wildcards(a) - wildcards(b));
  vi.stubGlobal('XMLHttpRequest', FakeUploadRequest);
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const path = pathname.replace(/^\/api\/v1(\/main(?=\/))?/, '');
    const method = init.method ?? 'GET';
    const request = { method, path: pathname, params: {}, query: searchParams, body: init.body };
    for (const route of byPriority) {
      const params = match(route.endpoint.path, path);
      if (route.endpoint.method !== method || !params) continue;
      const seen = { ...request, params };
      requests.push(seen);
      return toResponse(route.endpoint, await route.reply(seen));
    }
    requests.push(request);
    return failure(404, { message: `Not Found: no route for ${method} ${path}` });
  });
  const to = (endpoint: Described) =>
    requests.filter(({ method, path }) => method === endpoint.method && matchAny(endpoint.path, path));
  return { requests, to };
}

const wildcards = ({ endpoint }: Route): number => endpoint.path.split('{').length;

function toResponse(endpoint: Described, reply: unknown): Response {
  if (reply instanceof Response) return reply;
  if (reply === undefined) return new Response(null, { status: 204 });
  return new Response(JSON.stringify(endpoint.reply?.parse(reply) ?? reply), {
    headers: { 'content-type': 'application/json' },
  });
}

const matchAny = (pattern: string, pathname: string) =>
  match(pattern, pathname.replace(/^\/api\/v1(\/main(?=\/))?/, ''));

function match(pattern: string, path: string): Record<string, string> | undefined {
  const names = [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const found = new RegExp(`^${pattern.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(path);
  return found
    ? Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]))
    : undefined;
}

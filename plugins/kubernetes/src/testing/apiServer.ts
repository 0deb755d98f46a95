import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { parse } from 'yaml';
import { type Certificates, makeCertificates } from './certificates.ts';
import { serveExec } from './execSocket.ts';
import type { Json } from './json.ts';
import { PodRuntime, type PodSpec } from './podRuntime.ts';
import { applyPatch, discovery, merge, problemsOf } from './resourceRules.ts';

export interface StoredResource extends Json {
  readonly metadata: Json & { name: string; labels?: Record<string, string> };
  status?: Json;
}

export interface ApiServer {
  readonly url: string;
  readonly token: string;
  readonly certificates: Certificates;
  /** Every call, as `METHOD /path?query`. */
  readonly calls: string[];
  /** By path, such as `/apis/apps/v1/namespaces/default/deployments/shop`. */
  readonly resources: Map<string, StoredResource>;
  /** Ends every open stream of a log, as a node that is restarted. */
  breakLogs(): void;
  close(): Promise<void>;
}

/**
 * A Kubernetes API server of our own: TLS and logins, discovery, and for each path the methods, content types, validation
 * and `Status` objects of the real one. Pods run as processes.
 */
export async function startApiServer(): Promise<ApiServer> {
  const certificates = makeCertificates();
  const folder = mkdtempSync(join(tmpdir(), 'fake-node-'));
  const state: State = {
    token: 'token-of-a-service-account',
    folder,
    calls: [],
    resources: new Map(),
    pods: new Map(),
    logStreams: new Set(),
    version: 0,
  };
  const server = createServer(
    { ...certificates.server, ca: certificates.ca, requestCert: true, rejectUnauthorized: false },
    (request, reply) => {
      state.calls.push(`${request.method} ${request.url}`);
      respond(state, request, reply).catch((error: unknown) =>
        refuse(reply, error instanceof Refusal ? error : new Refusal(500, 'InternalError', String(error))),
      );
    },
  );
  server.on('upgrade', (request, socket, head) => {
    state.calls.push(`EXEC ${request.url}`);
    const isAllowed = isKnown(state, request);
    const pod = state.pods.get(new URL(request.url ?? '', 'https://x').pathname.replace(/\/exec$/, ''));
    if (isAllowed && pod) return serveExec(pod, request, socket, head);
    socket.end(`HTTP/1.1 ${isAllowed ? '404 Not Found' : '401 Unauthorized'}\r\n\r\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `https://localhost:${port}`,
    token: state.token,
    certificates,
    calls: state.calls,
    resources: state.resources,
    breakLogs: () => {
      for (const stream of state.logStreams) stream.destroy();
    },
    close: async () => {
      for (const pod of state.pods.values()) pod.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface State {
  readonly token: string;
  readonly folder: string;
  readonly calls: string[];
  readonly resources: Map<string, StoredResource>;
  readonly pods: Map<string, PodRuntime>;
  readonly logStreams: Set<ServerResponse>;
  version: number;
}

class Refusal extends Error {
  readonly code: number;
  readonly reason: string;

  constructor(code: number, reason: string, message: string) {
    super(message);
    this.code = code;
    this.reason = reason;
  }
}

const send = (reply: ServerResponse, code: number, body: unknown) =>
  reply.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const refuse = (reply: ServerResponse, { code, reason, message }: Refusal) =>
  send(reply, code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason, code });

/** A client with the token, or with a certificate that the authority signed. */
const isKnown = ({ token }: State, request: IncomingMessage): boolean =>
  request.headers.authorization === `Bearer ${token}` || (request.socket as TLSSocket).authorized;

async function respond(state: State, request: IncomingMessage, reply: ServerResponse): Promise<unknown> {
  if (!isKnown(state, request)) throw new Refusal(401, 'Unauthorized', 'Unauthorized');
  const url = new URL(request.url ?? '', 'https://x');
  const { method = 'GET' } = request;
  const found = discovery(url.pathname);
  if (found && method === 'GET') return send(reply, 200, found);
  const match =
    /^\/(api\/v1|apis\/[\w.]+\/\w+)(?:\/namespaces\/([^/]+))?\/([a-z]+)(?:\/([^/]+))?(?:\/(log))?$/.exec(
      url.pathname,
    );
  const [, root = '', namespace, plural = '', name, sub] = match ?? [];
  const kind = discovery(`/${root}`)?.resources?.find(
    (each) => each.name === plural && each.namespaced === (namespace !== undefined),
  );
  if (!match || !kind) throw new Refusal(404, 'NotFound', 'the server could not find the requested resource');
  const path = url.pathname.replace(/\/log$/, '');
  if (sub === 'log') return sendLog(state, path, url, request, reply);
  if (method === 'POST' && name === undefined)
    return send(reply, 201, create(state, path, kind.kind, namespace, await readBody(request)));
  if (name === undefined && method === 'GET') return send(reply, 200, list(state, path, kind.kind, url));
  const existing = state.resources.get(path);
  if (method === 'PATCH')
    return send(
      reply,
      existing ? 200 : 201,
      patch(state, path, kind.kind, existing, url, request, await readBody(request)),
    );
  if (!existing) throw new Refusal(404, 'NotFound', `${plural} "${name}" not found`);
  if (method === 'GET') return send(reply, 200, view(state, path, existing));
  if (method !== 'DELETE') throw new Refusal(405, 'MethodNotAllowed', `the server does not allow ${method}`);
  state.resources.delete(path);
  state.pods.get(path)?.stop();
  state.pods.delete(path);
  return send(reply, 200, existing);
}

async function readBody(request: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return parse(Buffer.concat(chunks).toString('utf8'));
}

function create(
  state: State,
  path: string,
  kind: string,
  namespace: string | undefined,
  body: Json,
): StoredResource {
  const metadata = body.metadata as StoredResource['metadata'];
  const problem = problemsOf(kind, namespace, body);
  if (problem) throw new Refusal(422, 'Invalid', problem);
  const place = `${path}/${metadata.name}`;
  if (state.resources.has(place))
    throw new Refusal(409, 'AlreadyExists', `${kind} "${metadata.name}" already exists`);
  return store(state, place, { ...body, metadata: { ...metadata, namespace, uid: `uid-${state.version}` } });
}

function store(state: State, path: string, resource: StoredResource): StoredResource {
  const { metadata } = resource;
  const generation = Number(metadata.generation ?? 0) + 1;
  const stored = {
    ...resource,
    metadata: {
      ...metadata,
      generation,
      resourceVersion: String(++state.version),
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
  };
  state.resources.set(path, stored);
  if (resource.kind === 'Pod' && !state.pods.has(path)) {
    const pod = new PodRuntime(join(state.folder, String(state.version)), resource.spec as PodSpec);
    state.pods.set(path, pod);
    void pod.run();
  }
  if (resource.kind === 'Deployment') {
    // A controller processes the change a moment later.
    setTimeout(() => {
      const replicas = (resource.spec as { replicas?: number }).replicas ?? 1;
      stored.status = {
        observedGeneration: generation,
        replicas,
        readyReplicas: replicas,
        updatedReplicas: replicas,
      };
    }, 50).unref();
  }
  return stored;
}

const view = ({ pods }: State, path: string, resource: StoredResource): StoredResource => {
  const pod = pods.get(path);
  return pod ? { ...resource, status: pod.status() } : resource;
};

function list(state: State, path: string, kind: string, url: URL) {
  const selector = url.searchParams.get('labelSelector');
  const wanted = selector === null ? [] : selector.split(',').map((each) => each.split('='));
  const start = Number(url.searchParams.get('continue') ?? 0);
  const limit = Number(url.searchParams.get('limit') ?? Number.POSITIVE_INFINITY);
  const all = [...state.resources].filter(
    ([each, { metadata }]) =>
      each.startsWith(`${path}/`) && wanted.every(([key = '', value]) => metadata.labels?.[key] === value),
  );
  const items = all.slice(start, start + limit).map(([each, resource]) => view(state, each, resource));
  const next = start + limit < all.length ? String(start + limit) : '';
  return {
    kind: `${kind}List`,
    apiVersion: 'v1',
    metadata: { resourceVersion: String(state.version), continue: next },
    items,
  };
}

function patch(
  state: State,
  path: string,
  kind: string,
  existing: StoredResource | undefined,
  url: URL,
  request: IncomingMessage,
  body: Json,
): StoredResource {
  const contentType = request.headers['content-type'] ?? '';
  if (contentType === 'application/apply-patch+yaml') {
    if (!url.searchParams.has('fieldManager'))
      throw new Refusal(400, 'BadRequest', 'fieldManager is required for apply patch');
    const namespace = /\/namespaces\/([^/]+)\//.exec(path)?.[1];
    const problem = problemsOf(kind, namespace, body);
    if (problem) throw new Refusal(422, 'Invalid', problem);
    const merged = merge(existing ?? {}, body);
    return store(state, path, {
      ...merged,
      metadata: { ...(merged.metadata as StoredResource['metadata']), ...(namespace && { namespace }) },
    });
  }
  if (!existing) throw new Refusal(404, 'NotFound', `${kind} "${path.split('/').at(-1)}" not found`);
  const changed = applyPatch(contentType, existing, body);
  if (!changed)
    throw new Refusal(
      415,
      'UnsupportedMediaType',
      `the body of the request was in an unknown format: ${contentType}`,
    );
  return store(state, path, changed as StoredResource);
}

async function sendLog(
  state: State,
  path: string,
  url: URL,
  request: IncomingMessage,
  reply: ServerResponse,
) {
  const container = url.searchParams.get('container') ?? '';
  const pod = state.pods.get(path);
  if (!pod) throw new Refusal(404, 'NotFound', `pods "${path.split('/').at(-1)}" not found`);
  if (!pod.canLog(container)) {
    throw new Refusal(400, 'BadRequest', `container "${container}" is waiting to start: PodInitializing`);
  }
  if (url.searchParams.get('timestamps') !== 'true')
    throw new Refusal(400, 'BadRequest', 'this test expects times');
  reply.writeHead(200, { 'content-type': 'text/plain' });
  reply.flushHeaders();
  state.logStreams.add(reply);
  const lines = pod.logs(
    container,
    url.searchParams.get('sinceTime') ?? undefined,
    url.searchParams.get('follow') === 'true',
  );
  for await (const line of lines) {
    if (reply.destroyed || request.destroyed) break;
    if (!reply.write(line))
      await new Promise((resolve) => reply.once('drain', resolve).once('close', resolve));
  }
  state.logStreams.delete(reply);
  return reply.end();
}

import { AppError, type Flow, type FlowRevision, type FlowWithSource, flows } from '@millrace/contract';
import { flowGraph, parseFlow, warningsOf } from '@millrace/engine';
import type { PluginCatalogue } from '@millrace/plugin-kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { stringify } from 'yaml';
import { deleteFlow } from '../../actions/deleteFlow.ts';
import { deleteRevisions } from '../../actions/deleteRevisions.ts';
import { expandSubflows } from '../../actions/expandSubflows.ts';
import { findFlow } from '../../actions/findFlow.ts';
import type { StoredFlow } from '../../actions/flowCache.ts';
import { createFlow, fitFlow, updateFlow } from '../../actions/saveFlow.ts';
import { validateFlows } from '../../actions/validateFlows.ts';
import { parseJson } from '../../parseJson.ts';
import type { Product } from '../../product.ts';
import { readFilters } from '../filters.ts';
import { mount } from '../mount.ts';
import { toPageQuery } from '../paging.ts';
import type { QueryValues } from '../query.ts';

export function mountFlows(app: FastifyInstance, product: Product): void {
  const { store, clock, config, catalogue } = product;
  const filterContext = () => ({ now: clock(), systemNamespace: config.systemNamespace });

  mount(app, flows.searchFlows, async ({ query, request }) => {
    const filters = readFilters(request.query as QueryValues, 'flow', filterContext());
    const { results, total } = await store.listFlows({ ...toPageQuery(query), filters });
    return { results: results.map((record) => present(product.flows.read(record))), total };
  });

  mount(app, flows.listNamespaces, async ({ query }) => {
    const wanted = query.q?.toLowerCase() ?? '';
    return (await store.listFlowNamespaces()).filter((namespace) => namespace.toLowerCase().includes(wanted));
  });

  mount(app, flows.listFlowsOfNamespace, async ({ params }) => {
    const filters = [{ field: 'namespace', operation: 'EQUALS', value: params.namespace }] as const;
    const { results } = await store.listFlows({ page: 1, size: 10_000, filters });
    return results.map((record) => present(product.flows.read(record)));
  });

  mount(app, flows.getFlow, async ({ params, query }) => {
    const stored = await findFlow(product, params, query.revision, query.allowDeleted);
    return query.source || stored.problem !== undefined ? withSource(stored) : stored.flow;
  });

  mount(app, flows.listRevisions, async ({ params }) => {
    const records = await store.listRevisions(params.namespace, params.id);
    return records.map((record) => presentRevision(product.flows.read(record)));
  });

  mount(app, flows.deleteRevisions, ({ params, query }) =>
    deleteRevisions(params, query.revisions ?? [], product),
  );

  mount(app, flows.getFlowGraph, async ({ params, query }) => {
    const { flow, problem } = await findFlow(product, params, query.revision);
    if (problem !== undefined)
      throw new AppError('illegal-state', `the flow "${params.id}" is invalid: ${problem}`);
    return flowGraph(flow, await expandSubflows(flow, query.subflows ?? [], product.flows));
  });

  mount(app, flows.createFlow, ({ body, query, request }) =>
    saveSource(body, request, catalogue, (source) =>
      createFlow(source, product, { ...query, author: authorOf(request) }),
    ),
  );
  mount(app, flows.updateFlow, ({ params, body, query, request }) =>
    saveSource(body, request, catalogue, (source) =>
      updateFlow(params, source, product, { ...query, author: authorOf(request) }),
    ),
  );
  mount(app, flows.deleteFlow, ({ params, request }) => deleteFlow(params, product, authorOf(request)));
  mount(app, flows.validateFlows, ({ body }) => validateFlows(body, product));

  mount(app, flows.drawFlowSource, async ({ body, query }) => {
    const flow = fitFlow(parseFlow(withPlaceholders(body), catalogue));
    return flowGraph(flow, await expandSubflows(flow, query.subflows ?? [], product.flows));
  });
}

/** A flow can be drawn before its author has named it. */
function withPlaceholders(source: string): string {
  if (/^\s*\{/.test(source)) return source;
  const missing = ['id', 'namespace'].filter(
    (key) => !new RegExp(`^["']?${key}["']?\\s*:`, 'm').test(source),
  );
  return missing.map((key) => `${key}: default\n`).join('') + source;
}

/** A text is kept as it is and sent back. Of an object, which older clients send, the source is written here. */
async function saveSource(
  body: string,
  { headers }: FastifyRequest,
  catalogue: PluginCatalogue,
  save: (source: string) => Promise<StoredFlow>,
): Promise<flows.SavedFlow> {
  const isObject = /^application\/json\b/i.test(headers['content-type'] ?? '') && /^\s*\{/.test(body);
  if (isObject) return (await save(stringify(writtenPart(parseJson(body))))).flow;
  const saved = withSource(await save(body));
  const warnings = warningsOf(body, catalogue);
  return warnings.length === 0 ? saved : { ...saved, warnings };
}

/** Removes the server's own fields from a flow that was read, changed and sent back. */
function writtenPart(sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null) return sent;
  const {
    tenantId: _tenant,
    deleted: _mark,
    unknownTypes: _types,
    ...written
  } = sent as Record<string, unknown>;
  return written;
}

/** A flow without its source, marked when a plugin for it is missing. */
const present = ({ flow, unknownTypes }: StoredFlow): Flow =>
  unknownTypes ? { ...flow, unknownTypes: [...unknownTypes] } : flow;

/** The user that a change of a flow is recorded with; none without authentication. */
export const authorOf = ({ user }: FastifyRequest): string | undefined => user?.username;

function presentRevision(stored: StoredFlow): FlowRevision {
  const { updatedAt, author, message } = stored.record;
  return {
    ...withSource(stored),
    updated: new Date(updatedAt).toISOString(),
    ...(author !== undefined && { author }),
    ...(message !== undefined && { message }),
  };
}

/** A flow whose source is not valid any more is shown with the reason and without tasks. */
export function withSource(stored: StoredFlow): FlowWithSource {
  const { record, problem } = stored;
  if (problem === undefined) return { ...stored.flow, source: record.source };
  return { ...present(stored), tasks: [], source: record.source, exception: problem };
}

import { type AlertDelivery, type AlertIncident, alerts as api } from '@millrace/contract';
import type { StoredDocument } from '@millrace/store';
import type { FastifyInstance } from 'fastify';
import { exportAlerts, importAlerts, readAlertDocument } from '../../alerts/alertDocument.ts';
import {
  deleteChannel,
  deleteRule,
  listChannels,
  listRules,
  saveChannel,
  saveRule,
  testChannel,
} from '../../alerts/definitions.ts';
import { deliveryOf, incidentOf, kinds } from '../../alerts/records.ts';
import type { Product } from '../../product.ts';
import { mount } from '../mount.ts';

export function mountAlerts(app: FastifyInstance, product: Product): void {
  mount(app, api.listChannels, async () => ({ results: await listChannels(product) }));
  mount(app, api.saveChannel, ({ params, body }) => saveChannel(params.id, body, product));
  mount(app, api.deleteChannel, ({ params }) => deleteChannel(params.id, product));
  mount(app, api.testChannel, ({ params }) => testChannel(params.id, product));
  mount(app, api.listRules, async () => ({ results: await listRules(product) }));
  mount(app, api.saveRule, ({ params, body }) => saveRule(params.id, body, product));
  mount(app, api.deleteRule, ({ params }) => deleteRule(params.id, product));

  const page = async <T>(
    kind: string,
    { page, size }: { readonly page: number; readonly size: number },
    present: (document: StoredDocument) => T | undefined,
  ) => {
    const documents = await product.store.listDocuments({
      kind,
      descending: true,
      limit: size + 1,
      offset: (page - 1) * size,
    });
    const results = documents.slice(0, size).flatMap((document) => present(document) ?? []);
    return { results, hasMore: documents.length > size };
  };
  mount(app, api.listIncidents, ({ query }) =>
    page(query.state === 'OPEN' ? kinds.open : kinds.ended, query, (document) =>
      presentIncident(document, query.state),
    ),
  );
  mount(app, api.listDeliveries, ({ query }) =>
    page(query.state === 'PENDING' ? kinds.pending : kinds.done, query, presentDelivery),
  );

  mount(app, api.exportAlerts, async ({ reply }) => {
    void reply.type('application/x-yaml; charset=utf-8').send(await exportAlerts(product));
  });
  mount(app, api.importAlerts, ({ body }) => importAlerts(body, product));
  mount(app, api.validateAlerts, ({ body }) => ({ issues: [...readAlertDocument(body).issues] }));
}

function presentIncident(document: StoredDocument, state: AlertIncident['state']): AlertIncident | undefined {
  const incident = incidentOf(document);
  if (!incident) return undefined;
  const { id, ruleId, condition, severity, title, count, at, openedAt, recoveredAt, ...about } = incident;
  const { message, namespace, flowId, taskId, triggerId, executionId } = about;
  return {
    id,
    ruleId,
    condition,
    severity,
    state,
    title,
    message,
    namespace,
    flowId,
    taskId,
    triggerId,
    executionId,
    openedAt: iso(openedAt),
    lastAt: iso(at),
    recoveredAt: recoveredAt === undefined ? undefined : iso(recoveredAt),
    count,
  };
}

function presentDelivery(document: StoredDocument): AlertDelivery | undefined {
  const delivery = deliveryOf(document);
  if (!delivery) return undefined;
  const { id, channelId, ruleId, incidentId, kind, title, createdAt, attempts, lastError, outcome } =
    delivery;
  return {
    id,
    channelId,
    ruleId,
    incidentId,
    kind,
    title,
    attempts,
    state: outcome ?? 'PENDING',
    createdAt: iso(createdAt),
    ...(outcome === undefined ? { dueAt: iso(document.at) } : {}),
    ...(outcome === 'SENT' ? { sentAt: iso(document.at) } : {}),
    ...(lastError === undefined ? {} : { lastError }),
  };
}

const iso = (at: number): string => new Date(at).toISOString();

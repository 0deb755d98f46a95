import { AppError, product as endpoints, plugins } from '@millrace/contract';
import { documentType, editorSchema, listIcons, type SchemaKind, schemaKinds } from '@millrace/plugins';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Product } from '../../product.ts';
import { describeFilters } from '../filters.ts';
import { mount } from '../mount.ts';

export function mountProduct(app: FastifyInstance, product: Product): void {
  const { config, catalogue } = product;
  /** Schemas are large and only change with the catalogue. */
  const schemas = new Map<string, Record<string, unknown>>();

  mount(app, endpoints.getConfiguration, () => ({
    uuid: product.instanceId,
    version: product.version,
    ...(config.environment ? { environment: dropUndefined(config.environment) } : {}),
    ...(config.url === undefined ? {} : { url: config.url }),
    isBasicAuthEnabled: config.auth !== undefined,
    isBasicAuthInitialized: config.auth !== undefined,
    isAnonymousUsageEnabled: false,
    isUiAnonymousUsageEnabled: false,
    isTaskRunEnabled: true,
    isTemplateEnabled: false,
    isCustomDashboardsEnabled: true,
    isAiEnabled: false,
    edition: 'OSS',
    preview: { initial: 100, max: 5_000 },
    systemNamespace: config.systemNamespace,
    hiddenLabelsPrefixes: ['system.', 'internal.'],
    resourceToFilters: describeFilters(),
  }));

  mount(app, plugins.getFlowSchema, ({ params, query, reply }) => {
    const kind = readKind(params.type);
    const key = `${kind}/${query.arrayOf}`;
    const schema = schemas.get(key) ?? editorSchema(catalogue, kind, query.arrayOf);
    schemas.set(key, schema);
    cacheForAnHour(reply);
    return schema;
  });

  mount(app, plugins.getPluginIcons, ({ reply }) => {
    cacheForAnHour(reply);
    return listIcons(catalogue);
  });

  mount(app, plugins.getPluginDocumentation, ({ params, query, reply }) => {
    const document = documentType(catalogue, params.cls, query.all);
    if (!document) throw new AppError('not-found', `there is no type "${params.cls}"`);
    cacheForAnHour(reply);
    return { markdown: document.markdown, schema: { ...document.schema } };
  });
}

function readKind(text: string): SchemaKind {
  const kind = schemaKinds.find((known) => known === text.toLowerCase());
  if (kind === undefined) {
    throw new AppError(
      'illegal-argument',
      `"${text}" has no schema; expected one of ${schemaKinds.join(', ')}`,
    );
  }
  return kind;
}

function cacheForAnHour(reply: FastifyReply): void {
  reply.header('cache-control', 'public, max-age=3600');
}

function dropUndefined({ name, color }: { name?: string | undefined; color?: string | undefined }) {
  return { ...(name === undefined ? {} : { name }), ...(color === undefined ? {} : { color }) };
}

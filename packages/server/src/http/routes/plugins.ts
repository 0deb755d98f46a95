import { AppError, type plugins as contract, plugins } from '@millrace/contract';
import {
  commonSchema,
  documentInputType,
  documentType,
  flowOutline,
  flowSchema,
  type ListedPlugin,
  listDrawings,
  listGroupIcons,
  listIcons,
  listInputTypes,
  listPlugins,
  listSubGroups,
  listTaskTypes,
  type SchemaKind,
  schemaKinds,
  typeSchemas,
  versionOf,
} from '@millrace/plugin-kit';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Product } from '../../product.ts';
import { mount } from '../mount.ts';

export function mountPlugins(app: FastifyInstance, { catalogue, version }: Product): void {
  /** Whole documents are large and only change with the catalogue. */
  const schemas = new Map<string, Promise<Record<string, unknown>>>();

  mount(app, plugins.listPlugins, () => listPlugins(catalogue, version).map(present));

  mount(app, plugins.listPluginGroups, ({ query }) =>
    listSubGroups(catalogue, version, query.includeDeprecated).map(present),
  );

  mount(app, plugins.getPluginIcons, ({ reply }) => cached(reply, { ...listIcons(catalogue) }));

  mount(app, plugins.getTypeIcons, ({ reply }) => {
    const { drawings, types } = listDrawings(catalogue);
    return cached(reply, { drawings: [...drawings], types });
  });

  mount(app, plugins.getGroupIcons, ({ reply }) => cached(reply, { ...listGroupIcons(catalogue) }));

  mount(app, plugins.listInputTypes, ({ reply }) => cached(reply, [...listInputTypes()]));

  mount(app, plugins.getInputType, ({ params, reply }) => {
    const document = documentInputType(params.type);
    if (!document) throw new AppError('illegal-argument', `"${params.type}" is no type of input`);
    return cached(reply, { ...document });
  });

  mount(app, plugins.getFlowSchema, ({ params, query, reply }) => {
    const kind = readKind(params.type);
    if (query.outline) return cached(reply, flowOutline(catalogue, kind));
    const key = `${kind}/${query.arrayOf}`;
    const schema = schemas.get(key) ?? flowSchema(catalogue, kind, query.arrayOf);
    schemas.set(key, schema);
    return cached(reply, schema);
  });

  mount(app, plugins.listTypeSchemas, ({ query, reply }) =>
    cached(reply, [...typeSchemas(catalogue, query.types.split(','))]),
  );

  mount(app, plugins.listTaskTypes, ({ query, reply }) =>
    cached(
      reply,
      listTaskTypes(catalogue, query.types.split(',')).map(
        (facts) => structuredClone(facts) as contract.TaskTypeFacts,
      ), // Only `readonly` differs.
    ),
  );

  mount(app, plugins.getCommonProperties, ({ params, reply }) => {
    const schema = commonSchema(params.type.toLowerCase());
    if (!schema) throw new AppError('illegal-argument', `"${params.type}" is neither TASK nor TRIGGER`);
    return cached(reply, schema);
  });

  const read = (cls: string, all: boolean): contract.PluginDocument => {
    const document = documentType(catalogue, cls, all);
    if (!document) throw new AppError('not-found', `there is no type "${cls}"`);
    return { ...document };
  };

  mount(app, plugins.getPluginDocumentation, ({ params, query, reply }) =>
    cached(reply, read(params.cls, query.all)),
  );

  mount(app, plugins.getPluginVersion, ({ params, query, reply }) =>
    cached(reply, read(params.cls, query.all)),
  );

  mount(app, plugins.listPluginVersions, ({ params }) => ({
    type: params.cls,
    versions: catalogue.find(params.cls) ? [versionOf(catalogue, params.cls, version)] : [],
  }));
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

/** Data that changes only with the server's version may be cached for an hour. */
function cached<T>(reply: FastifyReply, answer: T): T {
  reply.header('cache-control', 'public, max-age=3600');
  return answer;
}

const present = (plugin: ListedPlugin): contract.Plugin => structuredClone(plugin) as contract.Plugin; // Only `readonly` differs.

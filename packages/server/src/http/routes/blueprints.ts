import { AppError, blueprints } from '@millrace/contract';
import { flowGraph, parseFlow } from '@millrace/engine';
import type { FastifyInstance } from 'fastify';
import { expandSubflows } from '../../actions/expandSubflows.ts';
import { fitFlow } from '../../actions/saveFlow.ts';
import { type Blueprint, type BlueprintKind, blueprintKinds } from '../../content/blueprints.ts';
import { findBlueprints, tagsOf } from '../../content/findBlueprints.ts';
import type { Product } from '../../product.ts';
import { mount } from '../mount.ts';

export function mountBlueprints(app: FastifyInstance, product: Product): void {
  const { content, catalogue, flows } = product;

  const listOf = async (kind: string): Promise<readonly Blueprint[]> => {
    const known = readKind(kind);
    return known === undefined ? [] : content.blueprints(known);
  };

  const find = async ({ kind, id }: { kind: string; id: string }): Promise<Blueprint> => {
    const blueprint = (await listOf(kind)).find((each) => each.id === id);
    if (!blueprint) throw new AppError('not-found', `there is no blueprint "${id}" of kind "${kind}"`);
    return blueprint;
  };

  mount(app, blueprints.listBlueprints, async ({ params, query }) => {
    const { q, tags, page, size } = query;
    const { results, total } = findBlueprints(await listOf(params.kind), {
      page,
      size,
      ...(q === undefined ? {} : { q }),
      ...(tags === undefined ? {} : { tags }),
      ...(query.sort?.[0] === undefined ? {} : { sort: query.sort[0] }),
    });
    return { results: results.map(presentItem), total };
  });

  mount(app, blueprints.listBlueprintTags, async ({ params, query }) =>
    tagsOf(await listOf(params.kind), query.q).map((tag) => ({ ...tag })),
  );

  mount(app, blueprints.getBlueprint, async ({ params }) => {
    const blueprint = await find(params);
    const kind = blueprint.kind === 'flow' ? ('FLOW' as const) : ('DASHBOARD' as const);
    return { ...presentItem(blueprint), source: blueprint.source, kind };
  });

  mount(app, blueprints.getBlueprintSource, async ({ params, reply }) => {
    const { source } = await find(params);
    reply.type('application/yaml; charset=utf-8');
    return source;
  });

  mount(app, blueprints.getBlueprintGraph, async ({ params }) => {
    const { kind, source } = await find(params);
    if (kind !== 'flow') throw new AppError('illegal-argument', `a ${kind} has no graph`);
    const flow = fitFlow(parseFlow(source, catalogue));
    return flowGraph(flow, await expandSubflows(flow, [], flows));
  });
}

/** Apps are a kind without blueprints here. */
function readKind(text: string): BlueprintKind | undefined {
  const word = text.toLowerCase();
  const kind = blueprintKinds.find((known) => known === word);
  if (kind === undefined && word !== 'app') {
    throw new AppError('illegal-argument', `"${text}" is no kind of blueprint; expected flow or dashboard`);
  }
  return kind;
}

function presentItem({
  id,
  title,
  description,
  includedTasks,
  tags,
  publishedAt,
}: Omit<Blueprint, 'source' | 'kind'>) {
  return { id, title, description, includedTasks: [...includedTasks], tags: [...tags], publishedAt };
}

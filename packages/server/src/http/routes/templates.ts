import { AppError, type Template, templates } from '@millrace/contract';
import { splitSources } from '@millrace/engine';
import type { Filter } from '@millrace/store';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { actOnItems } from '../../actions/longAction.ts';
import { readUpload } from '../../archives/readUpload.ts';
import { sendZip } from '../../archives/sendZip.ts';
import type { Product } from '../../product.ts';
import { fitTemplate, readTemplate, splitTemplates, writeTemplate } from '../../templates/readTemplate.ts';
import { present } from '../../templates/templates.ts';
import { readFilters } from '../filters.ts';
import { mount } from '../mount.ts';
import { toPageQuery } from '../paging.ts';
import type { QueryValues } from '../query.ts';

/** When the configuration disables templates, their routes do not exist. */
export function mountTemplates(app: FastifyInstance, product: Product): void {
  if (!product.config.templates.enabled) return;
  mountReading(app, product);
  mountWriting(app, product);
  mountTransfer(app, product);
}

function mountReading(app: FastifyInstance, product: Product): void {
  mount(app, templates.searchTemplates, async ({ query, request }) => {
    const filters = filtersOf(request, product);
    const { results, total } = await product.store.listTemplates({ ...toPageQuery(query), filters });
    return { results: results.map(present), total };
  });
  mount(app, templates.listTemplateNamespaces, async ({ query }) => {
    const all = new Set((await product.templates.list([])).map(({ namespace }) => namespace));
    return [...all].filter((name) => name.includes(query.q?.toLowerCase() ?? '')).sort();
  });
  mount(app, templates.getTemplate, ({ params }) => product.templates.get(params));
}

function mountWriting(app: FastifyInstance, product: Product): void {
  const { catalogue } = product;
  mount(app, templates.createTemplate, ({ body }) => product.templates.create(fitTemplate(body, catalogue)));
  mount(app, templates.updateTemplate, ({ params, body }) =>
    product.templates.update(params, fitTemplate(body, catalogue)),
  );
  mount(app, templates.deleteTemplate, ({ params }) => product.templates.delete(params));
  mount(app, templates.validateTemplates, ({ body }) =>
    splitSources(body).map((source, index) => readTemplate(source, catalogue, index).validation),
  );
  mount(app, templates.replaceTemplates, async ({ params, query, body }) => {
    const wanted = splitTemplates(body, splitSources(body)).map((text) => fitTemplate(text, catalogue));
    checkOwn(wanted, params.namespace);
    const before = await product.templates.list([equals(params.namespace)]);
    const gone = query.delete ? before.filter(({ id }) => !wanted.some((it) => it.id === id)) : [];
    for (const template of gone) await product.templates.delete(template);
    const saved: Template[] = [];
    for (const template of wanted) saved.push(await product.templates.put(template));
    return [...gone.map((template) => ({ ...template, deleted: true })), ...saved];
  });
  mount(app, templates.deleteTemplatesByIds, ({ body }) =>
    deleteAll(async () => {
      // All of them are there before anything happens to one.
      await Promise.all(body.map((key) => product.templates.check(key)));
      return body;
    }, product),
  );
  mount(app, templates.deleteTemplatesByQuery, ({ request }) =>
    deleteAll(async () => {
      const found = await product.templates.list(filtersOf(request, product));
      return found.map(({ namespace, id }) => ({ namespace, id }));
    }, product),
  );
}

function mountTransfer(app: FastifyInstance, product: Product): void {
  const send = (found: readonly Template[]) =>
    found.map((template) => ({
      path: `${template.namespace}-${template.id}.yml`,
      content: writeTemplate(template),
    }));
  mount(app, templates.exportTemplatesByQuery, async ({ request, reply }) => {
    const found = await product.templates.list(filtersOf(request, product));
    sendZip(reply, 'templates.zip', send(found));
  });
  mount(app, templates.exportTemplatesByIds, async ({ body, reply }) => {
    sendZip(reply, 'templates.zip', send(await findAll(body, product)));
  });
  mount(app, templates.importTemplates, async ({ request }) => {
    const read = (await readUpload(request, product.workFolder)).map(({ text }) =>
      fitTemplate(text, product.catalogue),
    );
    for (const template of read) await product.templates.put(template);
  });
}

const equals = (namespace: string): Filter => ({ field: 'namespace', operation: 'EQUALS', value: namespace });

const filtersOf = (request: FastifyRequest, { clock, config }: Product): Filter[] =>
  readFilters(request.query as QueryValues, 'template', {
    now: clock(),
    systemNamespace: config.systemNamespace,
  });

/** All of them are there before anything happens to one. */
function findAll(keys: readonly { namespace: string; id: string }[], product: Product): Promise<Template[]> {
  return Promise.all(keys.map((key) => product.templates.get(key)));
}

type Key = { readonly namespace: string; readonly id: string };

async function deleteAll(
  choose: () => Promise<readonly Key[]>,
  { templates, store }: Product,
): Promise<{ count: number }> {
  const count = await actOnItems({
    choose,
    act: async (key) => {
      await templates.delete(key);
      return true;
    },
    wasDone: async ({ namespace, id }) => (await store.getTemplate(namespace, id)) === undefined,
  });
  return { count };
}

function checkOwn(wanted: readonly Template[], namespace: string): void {
  const ids = new Set<string>();
  for (const template of wanted) {
    if (template.namespace !== namespace)
      throw new AppError(
        'invalid-entity',
        `namespace: the template "${template.id}" is not of "${namespace}"`,
      );
    if (ids.has(template.id)) throw new AppError('invalid-entity', `id: "${template.id}" appears twice`);
    ids.add(template.id);
  }
}

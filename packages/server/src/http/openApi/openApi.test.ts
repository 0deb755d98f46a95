import { type Endpoint, listEndpoints } from '@millrace/contract';
import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { mountRoutes } from '../../startServer.ts';
import { sharedServer } from '../../testing/aServer.ts';
import { sqlite } from '../../testing/databases.ts';
import { pathOf } from '../mount.ts';
import type { OpenApiDocument } from './openApi.ts';

const nameOf = (endpoint: Endpoint) => `${endpoint.method} ${pathOf(endpoint)}`;

describe('the description of the API', () => {
  const shared = sharedServer(sqlite);
  const get = (url: string) => shared().app.inject({ method: 'GET', url });
  const read = async () => (await get('/swagger/openapi.json')).json() as OpenApiDocument;

  it('mounts every call of the contract, and nothing else below the API root', () => {
    const mounted: string[] = [];
    const app = fastify();
    app.addHook('onRoute', ({ method, url, config }) => {
      if (config?.endpoint) mounted.push(nameOf(config.endpoint));
      else if (url.startsWith('/api/v1')) mounted.push(`${method} ${url}, which is not in the contract`);
    });
    mountRoutes(app, shared().product);
    const declared = listEndpoints().map(({ endpoint }) => nameOf(endpoint));
    expect(mounted.filter((name) => !declared.includes(name))).toEqual([]);
    expect(declared.filter((name) => !mounted.includes(name))).toEqual([]);
  });

  it('names every call once, with all parameters of its path', async () => {
    const { paths } = await read();
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).map((operation) => ({ path, operation })),
    );
    expect(operations).toHaveLength(listEndpoints().length);
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    for (const { path, operation } of operations) {
      const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
      const given = operation.parameters.filter((p) => p.in === 'path').map(({ name }) => name);
      expect([path, given.sort()]).toEqual([path, wanted]);
    }
  });

  it('refers only to schemas that it has', async () => {
    const document = await read();
    expect(document.openapi).toBe('3.1.0');
    const names = Object.keys(document.components.schemas);
    expect(names).toEqual(expect.arrayContaining(['Execution', 'Flow', 'JsonError']));
    const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g);
    expect([...references].map(([, name]) => name).filter((name) => !names.includes(String(name)))).toEqual(
      [],
    );
    expect(JSON.stringify(document)).not.toContain('#/$defs/');
  });

  it('can be read as YAML and as a page without scripts', async () => {
    const text = await get('/swagger/openapi.yml');
    expect(text.body).toMatch(/^openapi: 3\.1\.0/);
    const page = await get('/api');
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.body).toContain('/api/v1/executions/search');
    expect(page.body).not.toMatch(/<script|src=|https?:\/\//);
  });
});

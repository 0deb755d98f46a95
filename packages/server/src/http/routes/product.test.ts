import { describe, expect, it } from 'vitest';
import { sharedServer } from '../../testing/aServer.ts';
import { sqlite } from '../../testing/databases.ts';

describe('what the server tells about itself (api 7.1, 7.2)', () => {
  const shared = sharedServer(sqlite, {
    settings: { environment: { name: 'test' }, url: 'https://flows.example.org/' },
  });

  it('[S2-7o.1] tells the web app how it is set up', async () => {
    const { status, body } = await shared().call('GET', '/main/configs');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      uuid: expect.any(String),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      environment: { name: 'test' },
      url: 'https://flows.example.org/',
      isBasicAuthEnabled: false,
      isAnonymousUsageEnabled: false,
      systemNamespace: 'system',
      hiddenLabelsPrefixes: ['system.', 'internal.'],
    });
    const filters = body.resourceToFilters as { name: string; fields: { name: string; value: string }[] }[];
    expect(filters.find(({ name }) => name === 'execution')?.fields).toContainEqual(
      expect.objectContaining({ name: 'start_date', value: 'startDate' }),
    );
  });

  it('[S2-7o.6] gives the editor a schema', async () => {
    const { status, body, headers } = await shared().call('GET', '/plugins/schemas/FLOW?arrayOf=false');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      $schema: 'http://json-schema.org/draft-07/schema#',
      $ref: '#/definitions/Flow',
    });
    expect(headers['cache-control']).toBe('public, max-age=3600');
    expect((await shared().call('GET', '/plugins/schemas/nope')).status).toBe(422);
  });

  it('[S2-7o.4] [S2-7o.3] shows icons and documentation', async () => {
    const icons = await shared().call('GET', '/plugins/icons');
    expect(icons.body).toHaveProperty(['core.log.Log']);
    const document = await shared().call('GET', '/plugins/io.kestra.plugin.core.log.Log?cls=x');
    expect(document.body).toMatchObject({
      markdown: expect.any(String),
      schema: { properties: expect.anything() },
    });
    expect((await shared().call('GET', '/plugins/no.Such')).status).toBe(404);
  });

  it('gives every path a known answer, never a stack (abuse case 47)', async () => {
    for (const path of [
      '/env',
      '/loggers',
      '/metrics/x',
      '/beans',
      '/flows/%zz',
      '/flows/a/b%00',
      '/../etc/passwd',
    ]) {
      const { status, body } = await shared().call('GET', path);
      expect([path, status]).toEqual([
        path,
        expect.toSatisfy((s: number) => s === 404 || s === 400 || s === 200),
      ]);
      expect(JSON.stringify(body)).not.toMatch(/at .*\.ts:/);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { sharedServer } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';

describe.each(databases)('what the server tells about itself (api 7.1) on $name', (database) => {
  const shared = sharedServer(database, {
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
    expect(body).toMatchObject({
      edition: 'OSS',
      isCustomDashboardsEnabled: true,
      isTaskRunEnabled: true,
      preview: { initial: 100, max: 5_000 },
    });
    const filters = body.resourceToFilters as { name: string; fields: { name: string; value: string }[] }[];
    expect(filters.find(({ name }) => name === 'execution')?.fields).toContainEqual(
      expect.objectContaining({ name: 'start_date', value: 'startDate' }),
    );
    const resources = [
      'flow',
      'namespace',
      'execution',
      'log',
      'task',
      'template',
      'trigger',
      'kv',
      'secret',
    ];
    expect(filters.map(({ name }) => name).sort()).toEqual(resources.sort());
    const level = filters.find(({ name }) => name === 'log')?.fields.find(({ value }) => value === 'level');
    expect(level).toMatchObject({
      name: 'min_level',
      operations: expect.arrayContaining([{ name: 'EQUALS', value: 'EQUALS' }]),
    });
  });

  it('[A47] gives every path a known answer, never a stack', async () => {
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

import { describe, expect, it } from 'vitest';
import { anId, sharedServer } from '../testing/aServer.ts';
import { databases } from '../testing/databases.ts';
import { createDashboardStore, createFlowStore } from './taskFlows.ts';

const aFlow = (namespace: string, id: string, message = 'hello') =>
  `id: ${id}\nnamespace: ${namespace}\ntasks:\n  - {id: show, type: core.log.Log, message: ${message}}\n`;

describe.each(databases)('flows as tasks use them on $name', (database) => {
  const server = sharedServer(database);
  const parts = () => server().product;

  it('are saved, listed with those of child namespaces, and deleted', async () => {
    const namespace = `flows.n${anId().toLowerCase()}`;
    const flows = createFlowStore('system', {}, parts);
    expect(await flows.save(aFlow(namespace, 'one'))).toMatchObject({ namespace, id: 'one', revision: 1 });
    expect((await flows.save(aFlow(namespace, 'one'))).revision).toBe(1);
    expect((await flows.save(aFlow(namespace, 'one', 'changed'))).revision).toBe(2);
    await flows.save(aFlow(`${namespace}.child`, 'two'));
    await flows.save(aFlow(`${namespace}x`, 'other'));
    const names = async (children: boolean) =>
      (await flows.list(namespace, { children })).map(({ id }) => id);
    expect(await names(false)).toEqual(['one']);
    expect(await names(true)).toEqual(['one', 'two']);
    expect((await flows.find(namespace, 'one'))?.source).toContain('changed');
    expect(await flows.delete(namespace, 'one')).toBe(true);
    expect(await flows.delete(namespace, 'one')).toBe(false);
    expect(await flows.find(namespace, 'one')).toBeUndefined();
    expect(await names(false)).toEqual([]);
  });

  it('are checked without being saved', async () => {
    const flows = createFlowStore('system', {}, parts);
    const id = anId();
    expect(await flows.check(aFlow('flows.checked', id))).toEqual({ namespace: 'flows.checked', id });
    expect((await flows.check('id: x\nnamespace: a\ntasks: []\n')).problem).toBeTypeOf('string');
    expect(await flows.find('flows.checked', id)).toBeUndefined();
    await expect(flows.save('id: x')).rejects.toThrow();
  });

  it('of a restricted namespace are closed to other namespaces', async () => {
    const namespace = `flows.n${anId().toLowerCase()}`;
    const restricted = { [namespace]: ['company.deployment'] };
    const allowed = createFlowStore('company.deployment.eu', restricted, parts);
    await allowed.save(aFlow(`${namespace}.child`, 'one'));
    const other = createFlowStore('company.team', restricted, parts);
    const refusal = `may not use the flows of the namespace "${namespace}.child"`;
    await expect(other.save(aFlow(`${namespace}.child`, 'one', 'changed'))).rejects.toThrow(refusal);
    await expect(other.delete(`${namespace}.child`, 'one')).rejects.toThrow(refusal);
    await expect(other.list(namespace, { children: true })).rejects.toThrow('may not use');
    expect(await other.list('flows', { children: true })).not.toContainEqual(
      expect.objectContaining({ namespace: `${namespace}.child` }),
    );
    expect(await other.namespaces()).not.toContain(`${namespace}.child`);
    expect((await allowed.find(`${namespace}.child`, 'one'))?.revision).toBe(1);
  });

  it('dashboards are created, replaced, listed and deleted', async () => {
    const dashboards = createDashboardStore(parts);
    const id = anId();
    const source = (title: string) => `id: ${id}\ntitle: ${title}\ncharts: []\n`;
    expect(await dashboards.check(source('First'))).toBeUndefined();
    expect(await dashboards.check('charts: []')).toContain('title');
    await dashboards.save(id, source('First'));
    await dashboards.save(id, source('Second'));
    expect(await dashboards.list()).toContainEqual({ id, title: 'Second', source: source('Second') });
    expect(await dashboards.delete(id)).toBe(true);
    expect(await dashboards.delete(id)).toBe(false);
  });
});

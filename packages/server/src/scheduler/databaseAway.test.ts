import { AppError } from '@millrace/contract';
import type { Store } from '@millrace/store';
import { describe, expect, it } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { aServer, stateOf } from '../testing/aServer.ts';
import { databases } from '../testing/databases.ts';
import { executionsOf } from './testing/scheduledFlows.ts';

const inputs = 'inputs:\n  - { id: text, type: STRING }\n';
const given = '    inputs: { text: "{{ kv(flow.id) }}" }\n';

const flows = {
  up: aFlow('up'),
  down: aFlow(
    'down',
    `${inputs}triggers:
  - id: listen
    type: core.trigger.Flow
    preconditions: { id: those, flows: [{ namespace: company.team, flowId: up }] }
${given}`,
  ),
  ticking: aFlow(
    'ticking',
    `${inputs}triggers:
  - id: tick
    type: core.trigger.Schedule
    cron: "* * * * * *"
    withSeconds: true
${given}`,
  ),
  called: aFlow(
    'called',
    `${inputs}triggers:\n  - id: hook\n    type: core.trigger.Webhook\n    key: secret\n${given}`,
  ),
  asking: aFlow(
    'asking',
    `tasks:
  - id: ask
    type: core.flow.If
    condition: "{{ kv(flow.id) == 'hello' }}"
    then: [{ id: yes, type: core.log.Log, message: right }]
`,
  ),
};

describe.each(databases)('while keys cannot be read on $name', (database) => {
  it('expressions that need them wait: no trigger is lost, and nothing fails', async () => {
    let isAway = false;
    /** The keys that were asked for meanwhile: each has the name of its flow; that of the flow trigger is `up`. */
    const missed = new Set<string>();
    const wrapStore = (store: Store): Store => ({
      ...store,
      getKv: async (namespace, key) => {
        if (!isAway) return store.getKv(namespace, key);
        missed.add(key);
        throw new AppError('unavailable', 'The database is away.');
      },
    });
    const server = await aServer(database, { wrapStore });
    const text = { headers: { 'content-type': 'text/plain' }, payload: 'hello' };
    for (const id of Object.keys(flows)) await server.call('PUT', `/namespaces/company.team/kv/${id}`, text);
    isAway = true;
    for (const flow of Object.values(flows)) await server.saveFlow(flow);
    await server.run('up');
    const asked = await server.start('asking');
    const call = () => server.call('POST', '/executions/webhook/company.team/called/secret');
    expect((await call()).status).toBe(503);
    await expect.poll(() => [...missed].sort()).toEqual(['asking', 'called', 'ticking', 'up']);
    isAway = false;
    expect(stateOf(await server.waitForState(asked.id, 'SUCCESS', 'FAILED'))).toBe('SUCCESS');
    expect((await call()).status).toBe(200);
    for (const id of ['down', 'ticking', 'called']) {
      await expect.poll(async () => (await executionsOf(server, id)).length).toBeGreaterThan(0);
      expect((await executionsOf(server, id))[0]?.inputs).toEqual({ text: 'hello' });
    }
    const { body } = await server.call('GET', '/logs/search?size=100&minLevel=WARN');
    expect(body.results).toEqual([]);
  });
});

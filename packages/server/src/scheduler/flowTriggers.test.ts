import { describe, expect, it } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId, aServer, sharedServer, stateOf, type TestServer, yaml } from '../testing/aServer.ts';
import { databases } from '../testing/databases.ts';
import { maxTriggerDepth } from './fireFlowTrigger.ts';

type Body = Record<string, unknown>;

const listensTo = (flowId: string, more = '') => `triggers:
  - id: listen
    type: core.trigger.Flow
    conditions:
      - { type: core.condition.ExecutionFlow, namespace: company.team, flowId: ${flowId} }
${more}`;

const waitsForBoth = (one: string, other: string, more = '') => `triggers:
  - id: listen
    type: core.trigger.Flow
    preconditions:
      id: both
${more}      flows:
        - { namespace: company.team, flowId: ${one}, states: [SUCCESS] }
        - { namespace: company.team, flowId: ${other}, states: [SUCCESS] }
`;

async function executionsOf(server: TestServer, flowId: string): Promise<Body[]> {
  const { body } = await server.call('GET', `/executions/search?flowId=${flowId}&size=1000`);
  return body.results as Body[];
}

/** Everything that a state change leads to has happened. */
async function settled(server: TestServer): Promise<void> {
  await server.product.executor.settle();
  await server.product.flowTriggers.settle();
}

describe.each(databases)('flow triggers on $name', (database) => {
  const shared = sharedServer(database);

  it('[E312] starts a flow after another one, with its outputs, inputs, labels and correlation', async () => {
    const [server, a, b] = [shared(), anId(), anId()];
    const outputs = 'outputs:\n  - { id: rows, type: INT, value: 3 }\n';
    await server.saveFlow(aFlow(a, outputs));
    const more =
      '    inputs: { text: "{{ trigger.outputs.rows }} of {{ trigger.flowId }}" }\n    labels: { from: "{{ flow.id }}" }\n';
    await server.saveFlow(aFlow(b, `inputs:\n  - { id: text, type: STRING }\n${listensTo(a, more)}`));
    const upstream = await server.run(a);
    await expect.poll(() => executionsOf(server, b)).toHaveLength(1);
    const [execution] = await executionsOf(server, b);
    expect(execution).toMatchObject({
      inputs: { text: `3 of ${a}` },
      labels: expect.arrayContaining([
        { key: 'from', value: a },
        { key: 'system.correlationId', value: upstream.id },
      ]),
      trigger: {
        id: 'listen',
        type: 'core.trigger.Flow',
        variables: {
          executionId: upstream.id,
          namespace: 'company.team',
          flowId: a,
          flowRevision: 1,
          state: 'SUCCESS',
          outputs: { rows: 3 },
        },
      },
    });
    await settled(server);
    expect(await executionsOf(server, b)).toHaveLength(1);
  });

  it('[E312] looks at every state that it is asked for, and at no other flow', async () => {
    const [server, a, b, other] = [shared(), anId(), anId(), anId()];
    await server.saveFlow(aFlow(a));
    await server.saveFlow(aFlow(other));
    await server.saveFlow(aFlow(b, listensTo(a, '    states: [RUNNING, SUCCESS]\n')));
    await server.run(other);
    await server.run(a);
    await expect.poll(() => executionsOf(server, b)).toHaveLength(2);
    const states = (await executionsOf(server, b)).map(
      ({ trigger }) => ((trigger as Body).variables as Body).state,
    );
    expect(states.sort()).toEqual(['RUNNING', 'SUCCESS']);
  });

  it('[E312] never listens to itself', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, listensTo(id)));
    await server.run(id);
    await settled(server);
    expect(await executionsOf(server, id)).toHaveLength(1);
  });

  it('does nothing while it, its flow or its row is switched off, and after it is gone', async () => {
    const [server, a, b] = [shared(), anId(), anId()];
    const save = (text: string) => server.call('PUT', `/flows/company.team/${b}`, yaml(text));
    const count = async () => {
      await server.run(a);
      await settled(server);
      return (await executionsOf(server, b)).length;
    };
    const key = { namespace: 'company.team', flowId: b, triggerId: 'listen' };
    await server.saveFlow(aFlow(a));
    await server.saveFlow(aFlow(b, listensTo(a, '    disabled: true\n')));
    expect(await count()).toBe(0);
    await save(aFlow(b, `disabled: true\n${listensTo(a)}`));
    expect(await count()).toBe(0);
    await save(aFlow(b, listensTo(a)));
    await server.call('PUT', '/triggers', { payload: { ...key, disabled: true } });
    expect(await count()).toBe(0);
    await server.call('PUT', '/triggers', { payload: { ...key, disabled: false } });
    expect(await count()).toBe(1);
    await save(aFlow(b));
    expect(await count()).toBe(1);
  });

  it('fires once for a state change, however often it is looked at', async () => {
    const [server, a, b] = [shared(), anId(), anId()];
    await server.saveFlow(aFlow(a));
    await server.saveFlow(aFlow(b, listensTo(a)));
    const { id: executionId } = await server.run(a);
    await expect.poll(() => executionsOf(server, b)).toHaveLength(1);
    const { store, flowTriggers } = server.product;
    const event = {
      executionId,
      position: 2,
      namespace: 'company.team',
      flowId: b,
      triggerId: 'listen',
      at: 1,
    };
    await store.commit([{ op: 'flowEvent.put', event }]);
    flowTriggers.process([event, { ...event }]);
    await settled(server);
    flowTriggers.process([event]);
    await settled(server);
    expect(await executionsOf(server, b)).toHaveLength(1);
    expect(await store.openFlowEvents(2, 10)).toEqual([]);
  });

  it('[E311] waits for several flows, over a restart, and starts from nothing afterwards', async () => {
    const server = await aServer(database);
    const [a, b, c] = [anId(), anId(), anId()];
    for (const id of [a, b]) await server.saveFlow(aFlow(id));
    await server.saveFlow(aFlow(c, waitsForBoth(a, b)));
    await server.run(a);
    await server.run(a);
    await settled(server);
    expect(await executionsOf(server, c)).toEqual([]);
    await server.reopen();
    await server.run(b);
    await expect.poll(() => executionsOf(server, c)).toHaveLength(1);
    await server.run(b);
    await settled(server);
    expect(await executionsOf(server, c)).toHaveLength(1);
  });

  it('[E311] gathers what ends at the same moment', async () => {
    const [server, a, b, c] = [shared(), anId(), anId(), anId()];
    for (const id of [a, b]) await server.saveFlow(aFlow(id));
    await server.saveFlow(aFlow(c, waitsForBoth(a, b)));
    await Promise.all([server.run(a), server.run(b)]);
    await expect.poll(() => executionsOf(server, c)).toHaveLength(1);
  });

  it('looks after a restart at what the process before has left', async () => {
    const server = await aServer(database);
    const [a, b] = [anId(), anId()];
    await server.saveFlow(aFlow(a));
    const { id: executionId } = await server.run(a);
    await server.saveFlow(aFlow(b, listensTo(a)));
    // As if the process had ended right after the commit of the state change.
    const event = {
      executionId,
      position: 2,
      namespace: 'company.team',
      flowId: b,
      triggerId: 'listen',
      at: 1,
    };
    await server.product.store.commit([{ op: 'flowEvent.put', event }]);
    await server.reopen();
    await expect.poll(() => executionsOf(server, b)).toHaveLength(1);
  });

  it('asks the expression of when about the flow that ended', async () => {
    const [server, a, other, b] = [shared(), anId(), anId(), anId()];
    const when = `triggers:\n  - id: listen\n    type: core.trigger.Flow\n    states: [SUCCESS]\n    when: "{{ flow.id == '${a}' }}"\n`;
    await server.saveFlow(aFlow(a));
    await server.saveFlow(aFlow(other));
    await server.saveFlow(aFlow(b, when));
    await server.run(other);
    const { id } = await server.run(a);
    await expect.poll(() => executionsOf(server, b)).toHaveLength(1);
    await settled(server);
    expect(await executionsOf(server, b)).toMatchObject([{ trigger: { variables: { executionId: id } } }]);
  });

  it('says in the log when conditions or inputs cannot be rendered, and starts nothing', async () => {
    const [server, a, b, c] = [shared(), anId(), anId(), anId()];
    await server.saveFlow(aFlow(a));
    await server.saveFlow(aFlow(b, listensTo(a, '    inputs: { text: "{{ nope }}" }\n')));
    const condition = '      - { type: core.condition.Expression, expression: "{{ nope }}" }\n';
    await server.saveFlow(aFlow(c, listensTo(a, condition)));
    await server.run(a);
    const logs = async (flowId: string) =>
      JSON.stringify((await server.call('GET', `/logs/search?flowId=${flowId}`)).body.results);
    await expect.poll(() => logs(b)).toContain('nope');
    await expect.poll(() => logs(c)).toContain('nope');
    expect([await executionsOf(server, b), await executionsOf(server, c)]).toEqual([[], []]);
  });

  it('[A17] ends a circle of flows that start each other, and says so', async () => {
    const server = await aServer(database);
    const [a, b] = [anId(), anId()];
    await server.saveFlow(aFlow(a, listensTo(b)));
    await server.saveFlow(aFlow(b, listensTo(a)));
    await server.run(a);
    const total = async () => (await executionsOf(server, a)).length + (await executionsOf(server, b)).length;
    // A hundred executions one after the other, with faults in their commits on some runs.
    await expect.poll(total, { timeout: 90_000 }).toBe(maxTriggerDepth + 1);
    await expect
      .poll(async () => JSON.stringify((await server.call('GET', '/logs/search?minLevel=WARN')).body))
      .toContain('looks endless');
    await settled(server);
    expect(await total()).toBe(maxTriggerDepth + 1);
    expect((await executionsOf(server, b)).map(stateOf)).not.toContain('FAILED');
  });
});

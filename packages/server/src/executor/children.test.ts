import { describe, expect, it } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId, sharedServer, stateOf, type TestServer, taskRunsOf } from '../testing/aServer.ts';
import { breakable, mend } from '../testing/breakable.ts';
import { databases } from '../testing/databases.ts';
import { arrivals, openDoor } from '../testing/testTasks.ts';

type Body = Record<string, unknown>;

const calls = (flowId: string, more = '') =>
  `tasks:\n  - id: call\n    type: core.flow.Subflow\n    namespace: company.team\n    flowId: ${flowId}\n${more}`;
const broken = (name: string) => `tasks:\n  - id: ko\n    type: test.Breakable\n    name: ${name}\n`;

async function executionsOf(server: TestServer, flowId: string): Promise<Body[]> {
  const { body } = await server.call(
    'GET',
    `/executions/search?flowId=${flowId}&size=100&sort=state.startDate:asc`,
  );
  return body.results as Body[];
}

describe.each(databases)('child executions on $name (engine 3.12)', (database) => {
  const shared = sharedServer(database, {
    definitions: [breakable],
    env: { SECRET_TOKEN: Buffer.from('hidden').toString('base64') },
  });

  it('a restart resumes the child that failed', async () => {
    const [server, child, parent] = [shared(), anId(), anId()];
    await server.saveFlow(aFlow(child, broken(child)));
    await server.saveFlow(aFlow(parent, calls(child)));
    const failed = await server.run(parent);
    expect(stateOf(failed)).toBe('FAILED');
    // Twice, because a restarted child has no own key: it must be found through the attempt that created it.
    await server.call('POST', `/executions/${failed.id}/restart`);
    await expect
      .poll(async () => (await server.read(failed.id)).metadata)
      .toMatchObject({ attemptNumber: 2 });
    await server.waitForState(failed.id, 'FAILED');
    mend(child);
    await server.call('POST', `/executions/${failed.id}/restart`);
    const done = await server.waitForState(failed.id, 'SUCCESS');
    const children = await executionsOf(server, child);
    expect(children).toHaveLength(1);
    expect(children[0]).toMatchObject({ metadata: { attemptNumber: 3 } });
    expect(taskRunsOf(done)[0]?.outputs).toMatchObject({ executionId: children[0]?.id, state: 'SUCCESS' });
  });

  it('[E77] the outputs that a call names are rendered in the child that declares none', async () => {
    const [server, child, parent] = [shared(), anId(), anId()];
    await server.saveFlow(
      aFlow(child, 'tasks:\n  - id: sum\n    type: core.debug.Return\n    format: "{{ 40 + 2 }}"\n'),
    );
    await server.saveFlow(
      aFlow(
        parent,
        calls(
          child,
          '    outputs:\n      total: "{{ outputs.sum.value }}"\n      word: "{{ secret(\'TOKEN\') }}"\n',
        ),
      ),
    );
    const done = await server.run(parent);
    expect(taskRunsOf(done)[0]?.outputs).toMatchObject({ outputs: { total: '42', word: 'hidden' } });
    expect((await executionsOf(server, child))[0]).not.toHaveProperty('outputs');
  });

  it('[E77] and fail the call when they cannot be', async () => {
    const [server, child, parent] = [shared(), anId(), anId()];
    await server.saveFlow(
      aFlow(child, 'tasks:\n  - id: sum\n    type: core.debug.Return\n    format: "42"\n'),
    );
    await server.saveFlow(
      aFlow(parent, calls(child, '    outputs:\n      total: "{{ outputs.nope.value }}"\n')),
    );
    const failed = await server.run(parent);
    expect(stateOf(failed)).toBe('FAILED');
    const logs = JSON.stringify((await server.call('GET', `/logs/${failed.id}`)).body);
    expect(logs).toContain('could not be computed');
  });

  it('a restart takes a child that was fixed manually as it is', async () => {
    const [server, child, parent] = [shared(), anId(), anId()];
    await server.saveFlow(aFlow(child, broken(child)));
    await server.saveFlow(aFlow(parent, calls(child)));
    const failed = await server.run(parent);
    const [first] = await executionsOf(server, child);
    mend(child);
    await server.call('POST', `/executions/${String(first?.id)}/restart`);
    await server.waitForState(String(first?.id), 'SUCCESS');
    await server.call('POST', `/executions/${failed.id}/restart`);
    await server.waitForState(failed.id, 'SUCCESS');
    expect(await executionsOf(server, child)).toMatchObject([
      { id: first?.id, metadata: { attemptNumber: 2 } },
    ]);
  });

  it('a restart makes a new child when its author wants that', async () => {
    const [server, child, parent] = [shared(), anId(), anId()];
    await server.saveFlow(aFlow(child, broken(child)));
    await server.saveFlow(aFlow(parent, calls(child, '    restartBehavior: NEW_EXECUTION\n')));
    const failed = await server.run(parent);
    mend(child);
    await server.call('POST', `/executions/${failed.id}/restart`);
    await server.waitForState(failed.id, 'SUCCESS');
    const children = await executionsOf(server, child);
    expect(children.map(stateOf).sort()).toEqual(['FAILED', 'SUCCESS']);
  });

  it('the replacement of a child that is retried as a new execution answers the call', async () => {
    const [server, child, parent] = [shared(), anId(), anId()];
    const retry =
      'retry: { type: constant, interval: PT0.01S, maxAttempt: 3, behavior: CREATE_NEW_EXECUTION }\n';
    const tasks = `tasks:\n  - id: wait\n    type: test.Door\n    door: ${child}\n${broken(child).slice('tasks:\n'.length)}`;
    await server.saveFlow(aFlow(child, `${retry}${tasks}`));
    await server.saveFlow(aFlow(parent, calls(child)));
    const { id } = await server.start(parent);
    await expect.poll(() => arrivals(child)).toBe(1);
    openDoor(child);
    await expect.poll(async () => (await executionsOf(server, child)).map(stateOf)).toContain('RETRIED');
    mend(child);
    const done = await server.waitForState(id, 'SUCCESS', 'FAILED');
    const children = await executionsOf(server, child);
    const last = children.find((execution) => stateOf(execution) !== 'RETRIED');
    expect(last?.trigger).toEqual(children[0]?.trigger);
    expect(stateOf(done)).toBe(stateOf(last ?? {}));
    expect(taskRunsOf(done)[0]?.outputs).toMatchObject({ executionId: last?.id });
  });

  it('what a batch is called with may ask the outside world', async () => {
    const [server, child, parent] = [shared(), anId(), anId()];
    await server.saveFlow(aFlow(child, 'inputs:\n  - { id: text, type: STRING }\n'));
    await server.saveFlow(
      aFlow(
        parent,
        `tasks:
  - id: write
    type: core.storage.Write
    content: "a\\nb\\n"
  - id: each
    type: core.flow.ForEachItem
    items: "{{ outputs.write.uri }}"
    namespace: company.team
    flowId: ${child}
    inputs:
      text: "{{ secret('TOKEN') }} {{ taskrun.iteration }} {{ taskrun.items }}"
`,
      ),
    );
    const done = await server.run(parent);
    expect(stateOf(done)).toBe('SUCCESS');
    const texts = (await executionsOf(server, child))
      .map(({ inputs }) => String((inputs as Body).text))
      .sort();
    expect(texts).toEqual([1, 2].map((batch) => expect.stringMatching(`^hidden ${batch} millrace:///`)));
  });
});

describe.each(databases)('listeners on $name', (database) => {
  const shared = sharedServer(database);
  const listener = (condition: string, message: string) =>
    `  - conditions:\n      - ${condition}\n    tasks:\n      - id: ${message}\n        type: core.log.Log\n        message: ${message}\n`;

  it('[E20] those whose conditions hold run after the end', async () => {
    const [server, id] = [shared(), anId()];
    const listeners = `listeners:\n${listener('{ type: core.condition.ExecutionStatus, in: [SUCCESS] }', 'yes')}${listener('{ type: core.condition.ExecutionStatus, in: [FAILED] }', 'no')}`;
    await server.saveFlow(aFlow(id, listeners));
    const done = await server.run(id);
    expect(taskRunsOf(done).map(({ taskId }) => taskId)).toEqual(['hello', 'yes']);
  });

  it('conditions that cannot be evaluated are logged and end nothing', async () => {
    const [server, id] = [shared(), anId()];
    const condition = '{ type: core.condition.Expression, expression: "{{ nope }}" }';
    await server.saveFlow(aFlow(id, `listeners:\n${listener(condition, 'never')}`));
    const done = await server.run(id);
    expect(stateOf(done)).toBe('SUCCESS');
    const { body } = await server.call('GET', `/logs/${done.id}`);
    expect((body as unknown as Body[]).map(({ message }) => message).join()).toContain(
      'conditions of the listeners',
    );
  });
});

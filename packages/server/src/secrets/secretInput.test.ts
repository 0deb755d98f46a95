import { describe, expect, it } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId, sharedServer, stateOf, taskRunsOf, yaml } from '../testing/aServer.ts';
import { databases } from '../testing/databases.ts';

const secretKey = Buffer.alloc(32, 7).toString('base64');
const tasks = `inputs:
  - id: token
    type: SECRET
tasks:
  - id: check
    type: core.flow.If
    condition: "{{ inputs.token == 'open-sesame' }}"
    then:
      - id: say
        type: core.log.Log
        message: "the word is {{ inputs.token }}"
`;

describe.each(databases)('a SECRET input on $name', (database) => {
  const env = { SECRET_DOOR: Buffer.from('hidden-value').toString('base64') };
  const shared = sharedServer(database, { settings: { encryption: { secretKey } }, env });

  it('[E84] is used by tasks, and neither stored, shown nor logged in plain text', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, tasks));
    const execution = await server.run(id, { token: 'open-sesame' });
    expect(stateOf(execution)).toBe('SUCCESS');
    expect(JSON.stringify(execution)).not.toContain('open-sesame');
    const logs = JSON.stringify((await server.call('GET', `/logs/${execution.id}`)).body);
    expect(logs).toContain('the word is **masked*');
    expect(logs).not.toContain('open-sesame');
  });

  it('[E89] nor shown by what the engine says about it', async () => {
    const [server, id] = [shared(), anId()];
    const choice = `inputs:
  - id: token
    type: SECRET
tasks:
  - id: each
    type: core.flow.ForEach
    values: "{{ inputs.token }}"
    tasks:
      - id: say
        type: core.log.Log
        message: never
`;
    await server.saveFlow(aFlow(id, choice));
    const execution = await server.run(id, { token: 'open-sesame' });
    expect(stateOf(execution)).toBe('FAILED');
    const logs = JSON.stringify((await server.call('GET', `/logs/${execution.id}`)).body);
    expect(logs).toContain('**masked*');
    expect(logs).not.toContain('open-sesame');
  });

  it('[A33] no call that reads gives a value away: not of a secret, not of an input', async () => {
    const [server, id] = [shared(), anId()];
    const uses =
      '  - { id: use, type: core.log.Log, message: "{{ secret(\'DOOR\') }} {{ inputs.token }}" }\n';
    await server.saveFlow(aFlow(id, `inputs:\n  - { id: token, type: SECRET }\ntasks:\n${uses}`));
    await server.call('PUT', `/flows/company.team/${id}`, yaml(aFlow(id, `description: two\n${tasks}`)));
    const first = await server.start(id, { token: 'swordfish' }, '?revision=1&wait=true');
    const { id: executionId } = await server.run(id, { token: 'swordfish' });
    expect(stateOf(first)).toBe('SUCCESS');
    await server.product.logs.flush();
    const known: Record<string, string> = {
      namespace: 'company.team',
      id,
      flowId: id,
      executionId,
      taskRunId: String(taskRunsOf(first)[0]?.id),
      taskId: 'use',
      key: 'DOOR',
    };
    const paths = server.app.mountedRoutes
      .list()
      .filter(
        ({ url, methods }) =>
          methods.includes('GET') && url.startsWith('/api/v1/') && !/follow|webhook/.test(url),
      )
      .map(({ url }) => url.replace(/:(\w+)/g, (_, name: string) => known[name] ?? first.id));
    expect(paths.length).toBeGreaterThan(60);
    const told = [];
    for (const path of [...paths, `/api/v1/executions/${first.id}`, `/api/v1/logs/${first.id}`]) {
      for (const query of ['', '?source=true&size=100', '?q=DOOR']) {
        const { rawPayload } = await server.app.inject(path + query);
        const text = rawPayload.toString('latin1');
        if (/hidden-value|aGlkZGVuLXZhbHVl|swordfish|c3dvcmRmaXNo/.test(text)) told.push(path + query);
      }
    }
    expect(told).toEqual([]);
    const listed = await server.call('GET', '/namespaces/company.team/secrets');
    expect(listed.body).toEqual({ readOnly: true, results: [{ key: 'DOOR' }], total: 1 });
  });
});

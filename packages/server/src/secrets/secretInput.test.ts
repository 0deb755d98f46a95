import { describe, expect, it } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId, sharedServer, stateOf } from '../testing/aServer.ts';
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
  const shared = sharedServer(database, { settings: { encryption: { secretKey } } });

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
});

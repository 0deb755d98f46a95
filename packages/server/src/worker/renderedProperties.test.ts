import { describe, expect, it } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId, aServer, stateOf, yaml } from '../testing/aServer.ts';
import { databases } from '../testing/databases.ts';

type Body = Record<string, unknown>;

const [database] = databases;
if (!database) throw new Error('There is no database.');

const child = '    tasks:\n      - { id: child, type: core.log.Log, message: hi }\n';
const input = 'inputs:\n  - { id: x, type: STRING }\n';
const task = (text: string) => `${input}tasks:\n  - id: t\n    type: ${text}`;

describe('[E112] properties that are rendered', () => {
  it.each([
    [
      'core.log.Log\n    message: hi\n    level: "{{ inputs.x }}"\n',
      'WARN',
      'LOUD',
      '"level" must be one of',
    ],
    ['core.log.Log\n    message: hi\n    timeout: "{{ inputs.x }}"\n', 'PT9S', 'soon', 'The timeout "soon"'],
    [
      `core.flow.ForEach\n    values: [1]\n    concurrencyLimit: "{{ inputs.x }}"\n${child}`,
      '2',
      'many',
      '"concurrencyLimit" must be a whole number',
    ],
    [
      `core.flow.Parallel\n    concurrent: "{{ inputs.x }}"\n${child}`,
      '2',
      '-1',
      '"concurrent" must be a whole number',
    ],
    [
      'core.flow.Pause\n    pauseDuration: PT0.01S\n    behavior: "{{ inputs.x }}"\n',
      'RESUME',
      'LATER',
      '"behavior" must be one of',
    ],
    ['core.flow.Pause\n    pauseDuration: "{{ inputs.x }}"\n', '0.01', 'soon', '"soon" is not a duration'],
    [
      'core.flow.Sleep\n    duration: "{{ inputs.x }}"\n',
      'PT0S',
      'soon',
      '"duration" must be an ISO 8601 duration',
    ],
  ])('are right or wrong when the task runs: %s', async (text, right, wrong, message) => {
    const server = await aServer(database);
    const id = anId();
    await server.saveFlow(aFlow(id, task(text)));
    expect(stateOf(await server.run(id, { x: right }))).toBe('SUCCESS');
    const failed = await server.run(id, { x: wrong });
    expect(stateOf(failed)).toBe('FAILED');
    const { body } = await server.call('GET', `/logs/${String(failed.id)}`);
    const messages = (body as unknown as Body[]).map((line) => String(line.message));
    expect(messages.join()).toContain(message);
  });

  it('are stored with a literal of the wrong kind, which is a warning', async () => {
    const server = await aServer(database);
    const id = anId();
    const source = aFlow(id, 'tasks:\n  - { id: t, type: core.log.Log, message: hi, level: LOUD }\n');
    const { body } = await server.call('POST', '/flows/validate', yaml(source));
    const [validation] = body as unknown as Body[];
    expect(validation).not.toHaveProperty('constraints');
    expect(validation).toMatchObject({
      warnings: [expect.stringContaining('tasks[0].level: must be one of')],
    });
    await server.saveFlow(source);
    expect(stateOf(await server.run(id))).toBe('FAILED');
  });

  it('[E202] include validators that look around', async () => {
    const server = await aServer(database);
    const id = anId();
    const validator = 'inputs:\n  - { id: x, type: STRING, validator: "(?=.*[A-Z])\\\\w+" }\n';
    await server.saveFlow(aFlow(id, validator));
    expect(stateOf(await server.run(id, { x: 'aB' }))).toBe('SUCCESS');
    await expect(server.run(id, { x: 'ab' })).rejects.toThrow('it must match the pattern');
  });
});

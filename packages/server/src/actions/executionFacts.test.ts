import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { allDefinitions } from '@millrace/plugins/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId, sharedServer, stateOf } from '../testing/aServer.ts';
import { databases } from '../testing/databases.ts';

type Body = Record<string, unknown>;

const definitions = allDefinitions.filter(({ type }) => type.startsWith('slack.'));

/** A chat that keeps the reports it is sent, as their facts by name. */
const reports: { text: string; facts: Body }[] = [];
const chat = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { text, attachments } = JSON.parse(Buffer.concat(chunks).toString());
  const fields: { title: string; value: string }[] = attachments[0].fields;
  reports.push({ text, facts: Object.fromEntries(fields.map(({ title, value }) => [title, value])) });
  response.end('ok');
});
let url = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => chat.listen(0, '127.0.0.1', resolve));
  // `as`: a server that listens on a port has such an address.
  url = `http://127.0.0.1:${(chat.address() as AddressInfo).port}/hook`;
});
afterAll(() => new Promise((resolve) => chat.close(resolve)));
beforeEach(() => void reports.splice(0));

const report = (id: string, more = '') =>
  `  - { id: ${id}, type: notifications.slack.SlackExecution, url: "${url}"${more} }`;
const fails = (id: string) => `  - { id: ${id}, type: core.execution.Fail }`;
const logs = (id: string) => `  - { id: ${id}, type: core.log.Log, message: x }`;

describe.each(databases)('reports about executions on $name', (database) => {
  const shared = sharedServer(database, {
    definitions,
    settings: { url: 'https://millrace.example.com/base/' },
  });

  it('an `errors` task reports the failure of its own execution, with the failed task and the link', async () => {
    const [server, id] = [shared(), anId()];
    const source = `tasks:\n${logs('first')}\n${fails('broken')}\nerrors:\n${report('alert', ', customFields: { Team: data }')}\n`;
    await server.saveFlow(aFlow(id, source));
    const execution = await server.run(id);
    expect(stateOf(execution)).toBe('FAILED');
    expect(reports).toHaveLength(1);
    expect(reports[0]?.facts).toEqual({
      Namespace: 'company.team',
      'Flow ID': id,
      'Execution ID': execution.id,
      'Execution Status': 'FAILED',
      'Failed task ID': 'broken',
      'Final task ID': 'broken',
      Team: 'data',
    });
    expect(reports[0]?.text).toContain(
      `https://millrace.example.com/base/main/executions/company.team/${id}/${execution.id}|`,
    );
  });

  it('names the task inside a group, and no failure that was allowed', async () => {
    const [server, id] = [shared(), anId()];
    const source = `tasks:
  - id: forgiven
    type: core.flow.AllowFailure
    tasks:
    ${fails('allowed')}
  - id: group
    type: core.flow.Sequential
    tasks:
    ${fails('inner')}
errors:
${report('alert')}
`;
    await server.saveFlow(aFlow(id, source));
    await server.run(id);
    expect(reports[0]?.facts).toMatchObject({ 'Execution Status': 'FAILED', 'Failed task ID': 'inner' });
  });

  it.each([
    ['tasks', logs('first'), 'RUNNING'],
    ['finally', logs('first'), 'SUCCESS'],
    ['finally', fails('broken'), 'FAILED'],
    ['afterExecution', logs('first'), 'SUCCESS'],
    ['afterExecution', fails('broken'), 'FAILED'],
  ])('a task in `%s` after %s reports %s', async (branch, first, state) => {
    const [server, id] = [shared(), anId()];
    const tasks =
      branch === 'tasks' ? `${first}\n${report('alert')}` : `${first}\n${branch}:\n${report('alert')}`;
    await server.saveFlow(aFlow(id, `tasks:\n${tasks}\n`));
    await server.run(id);
    await expect.poll(() => reports.map(({ facts }) => facts['Execution Status'])).toEqual([state]);
  });

  it('a flow with a Flow trigger reports the execution that it reacts to', async () => {
    const [server, watched, watcher] = [shared(), anId(), anId()];
    const trigger = `triggers:
  - id: failures
    type: core.trigger.Flow
    states: [FAILED]
    conditions:
      - { type: core.condition.ExecutionFlow, namespace: company.team, flowId: ${watched} }
`;
    const task = report('alert', ', executionId: "{{ trigger.executionId }}"');
    await server.saveFlow(aFlow(watcher, `tasks:\n${task}\n${trigger}`));
    await server.saveFlow(aFlow(watched, `tasks:\n${fails('broken')}\n`));
    const execution = await server.run(watched);
    await expect.poll(() => reports.length).toBe(1);
    expect(reports[0]?.facts).toMatchObject({
      'Flow ID': watched,
      'Execution ID': execution.id,
      'Execution Status': 'FAILED',
      'Failed task ID': 'broken',
    });
  });
});

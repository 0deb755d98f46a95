import type { InjectOptions } from 'fastify';
import { describe, expect, it } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId, sharedServer, type TestServer, taskRunsOf } from '../testing/aServer.ts';
import { databases } from '../testing/databases.ts';
import { multipart } from '../testing/multipart.ts';

type Options = Partial<InjectOptions>;
type Case = readonly [call: string, status: number, type: string, options?: Options];

const json = (body: unknown): Options => ({
  headers: { 'content-type': 'application/json' },
  payload: JSON.stringify(body),
});
const file = (name: string, content: string) => multipart({ name, fileName: 'a.yml', content });

const zip = 'application/octet-stream';
const bytes = 'application/octet-stream';
const plain = 'text/plain; charset=utf-8';
const nothing = '';

interface Subject {
  readonly flow: string;
  readonly running: string;
  readonly ended: string;
  readonly paused: string;
  readonly uri: string;
}

/** Every call whose response is not JSON, ordered so that each finds the data it needs. */
const answersOf = ({ flow, running, ended, paused, uri }: Subject): readonly Case[] => [
  ['GET /ping', 200, plain],
  ['GET /api', 200, 'text/html; charset=utf-8'],
  ['GET /swagger/openapi.yml', 200, 'application/yaml; charset=utf-8'],
  [`POST /api/v1/executions/${running}/labels`, 400, plain, json([{ key: 'a', value: 'b' }])],
  [`POST /api/v1/executions/${running}/actions/labels`, 400, plain, json([{ key: 'a', value: 'b' }])],
  [`POST /api/v1/executions/${running}/pause`, 200, nothing],
  [`DELETE /api/v1/executions/${running}/kill`, 202, nothing],
  [`POST /api/v1/executions/${paused}/resume`, 204, nothing],
  [`GET /api/v1/executions/${ended}/file?path=${encodeURIComponent(uri)}`, 200, bytes],
  [`GET /api/v1/logs/${ended}/download`, 200, plain],
  [`DELETE /api/v1/logs/${ended}`, 200, nothing],
  [`DELETE /api/v1/logs/company.team/${flow}`, 200, nothing],
  ['GET /api/v1/executions/export/by-query/csv', 200, 'text/csv; charset=utf-8'],
  ['GET /api/v1/flows/export/by-query/csv', 200, 'text/csv; charset=utf-8'],
  ['GET /api/v1/triggers/export/by-query/csv', 200, 'text/csv; charset=utf-8'],
  ['GET /api/v1/flows/export/by-query', 200, zip],
  ['POST /api/v1/flows/export/by-ids', 200, zip, json([{ namespace: 'company.team', id: flow }])],
  ['POST /api/v1/namespaces/company.team/files?path=/a.txt', 200, nothing, file('fileContent', 'x')],
  ['GET /api/v1/namespaces/company.team/files?path=/a.txt', 200, bytes],
  ['PUT /api/v1/namespaces/company.team/files?from=/a.txt&to=/b.txt', 200, nothing],
  ['POST /api/v1/namespaces/company.team/files/directory?path=/d', 200, nothing],
  ['GET /api/v1/namespaces/company.team/files/export', 200, zip],
  ['DELETE /api/v1/namespaces/company.team/files?path=/b.txt', 200, nothing],
  ['PUT /api/v1/namespaces/company.team/kv/k', 200, nothing, { payload: '1' }],
  [
    'POST /api/v1/templates/import',
    204,
    nothing,
    file('fileUpload', aFlow('t').replace('id: hello', 'id: h')),
  ],
  ['GET /api/v1/templates/export/by-query', 200, zip],
  ['DELETE /api/v1/templates/company.team/t', 204, nothing],
  ['GET /api/v1/blueprints/community/flow/daily-report/source', 200, 'application/yaml; charset=utf-8'],
  ['POST /v1/reports/events', 204, nothing, json({ type: 'PAGE' })],
  [`DELETE /api/v1/executions/${ended}`, 204, nothing],
  [`DELETE /api/v1/flows/company.team/${flow}`, 204, nothing],
];

describe.each(databases)('answers that are not JSON, on $name', (database) => {
  const shared = sharedServer(database);

  it('[S2-7e.25] are what clients expect: a sentence, a file or nothing', async () => {
    const server = shared();
    const subject = await prepare(server);
    const cases = answersOf(subject);
    const answers: unknown[] = [];
    for (const [call, , , options] of cases) {
      const [method, url] = call.split(' ') as ['GET', string];
      const answer = await server.app.inject({ ...options, method, url });
      const type = answer.headers['content-type'] ?? (answer.body === '' ? nothing : 'unknown');
      answers.push([call, answer.statusCode, answer.body === '' ? nothing : type]);
    }
    expect(answers).toEqual(cases.map(([call, status, type]) => [call, status, type]));
  });
});

const writing = `tasks:
  - id: hello
    type: core.log.Log
    message: Hello
  - id: write
    type: core.storage.Write
    content: hi
    extension: .txt
triggers:
  - id: hook
    type: core.trigger.Webhook
    key: a-long-enough-key
`;

async function prepare(server: TestServer): Promise<Subject> {
  const [flow, waiting, pausing] = [anId(), anId(), anId()];
  await server.saveFlow(aFlow(flow, writing));
  await server.saveFlow(aFlow(waiting, `tasks:\n  - id: wait\n    type: test.Door\n    door: ${waiting}`));
  await server.saveFlow(aFlow(pausing, 'tasks:\n  - id: pause\n    type: core.flow.Pause'));
  const ended = await server.run(flow);
  const running = (await server.start(waiting)).id;
  const paused = (await server.start(pausing)).id;
  await server.waitForState(running, 'RUNNING');
  await server.waitForState(paused, 'PAUSED');
  const uri = String((taskRunsOf(ended)[1]?.outputs as { uri?: string } | undefined)?.uri);
  return { flow, running, ended: ended.id, paused, uri };
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@millrace/store/suite';
import { afterAll, expect, it } from 'vitest';
import { anId, sharedServer, yaml } from '../../testing/aServer.ts';
import { aTerminal } from '../../testing/aTerminal.ts';
import { sqlite } from '../../testing/databases.ts';

const shared = sharedServer(sqlite);
const folder = temporaryFolder();
afterAll(() => folder.remove());

const flow = (id: string) => `id: ${id}
namespace: company.team
tasks:
  - id: ask
    type: core.http.Request
    uri: "https://example.com/{{ inputs.day }}"
  - id: say
    type: core.log.Log
    message: "{{ outputs.ask.bdoy | uper }}"
`;
const warnings = [
  'tasks[0].uri: Input "day" does not exist: the flow has no inputs',
  'tasks[1].message: Task "ask" has no output "bdoy"; did you mean "body"?',
  'tasks[1].message: Filter "uper" does not exist; did you mean "upper"?',
];

it('A-2.7 [E168] the server reports wrong expressions when it validates and when it saves', async () => {
  const server = shared();
  const id = anId();
  const checked = await server.call('POST', '/flows/validate', yaml(flow(id)));
  expect(checked.body).toMatchObject([{ flow: id, warnings }]);
  expect(checked.body).not.toMatchObject([{ constraints: expect.anything() }]);
  const saved = await server.call('POST', '/flows', yaml(flow(id)));
  expect(saved.status).toBe(200);
  expect(saved.body).toMatchObject({ id, revision: 1, warnings });
});

it('A-2.8 [E168] the command line prints wrong expressions and succeeds', async () => {
  const id = anId();
  const path = join(folder.path, `${id}.yml`);
  writeFileSync(path, flow(id));
  const { app } = shared();
  const url = app.server.listening ? app.listeningOrigin : await app.listen({ host: '127.0.0.1', port: 0 });
  const run = aTerminal({ MILLRACE_SERVER: url });
  const named = `${path} (company.team.${id})`;
  const lines = [
    `ok       ${named}`,
    ...warnings.map(
      (warning, index) => `warning  ${path}:${[6, 9, 9][index]} (company.team.${id}): ${warning}`,
    ),
    '',
  ];
  for (const where of [[], ['--local']])
    expect(await run('flow', 'validate', path, ...where)).toEqual({
      code: 0,
      out: lines.join('\n'),
      err: '',
    });
  // In a file of several flows, the line is that of the file.
  const several = join(folder.path, `${id}_several.yml`);
  writeFileSync(
    several,
    `${flow(`${id}_one`)}---\n${flow(`${id}_two`).replace('core.log.Log', 'core.log.Lg')}`,
  );
  const { out, code } = await run('flow', 'validate', several, '--local');
  expect(code).toBe(1);
  expect(out).toContain(
    `invalid  ${several}:18 (company.team.${id}_two): tasks[1].type: Invalid type: core.log.Lg`,
  );
  expect(out).toContain(`warning  ${several}:16 (company.team.${id}_two): tasks[0].uri: `);
  expect(await run('flow', 'create', path)).toEqual({
    code: 0,
    out: [
      `saved    company.team.${id} revision 1`,
      ...warnings.map((warning) => `warning  ${path}: ${warning}`),
      '',
    ].join('\n'),
    err: '',
  });
});

import { spawnSync } from 'node:child_process';
import { families } from '@millrace/plugins';
import { allDefinitions } from '@millrace/plugins/testing';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { sharedServer, stateOf, taskRunsOf, yaml } from './testing/aServer.ts';
import { sqlite } from './testing/databases.ts';
import { multipart } from './testing/multipart.ts';

/** Flows that an example calls by name; its reader uses their own. */
const companions: Readonly<Record<string, string>> = {
  'core.flow.Subflow': `id: make_report
namespace: company.team
inputs: [{id: day, type: STRING}]
tasks: [{id: write, type: core.storage.Write, content: "Report of {{ inputs.day }}"}]
outputs: [{id: file, type: STRING, value: "{{ outputs.write.uri }}"}]
`,
  'core.flow.ForEachItem': `id: handle_orders
namespace: company.team
inputs: [{id: orders, type: STRING}]
tasks: [{id: show, type: core.log.Log, message: "{{ read(inputs.orders) }}"}]
`,
};

/** Plugins that the test servers lack: they have only the core and the scripts. */
const connectors = families
  .filter(({ name }) => name !== 'core' && name !== 'scripts')
  .flatMap(({ types }) => types);

const examples = allDefinitions.flatMap(({ type, kind, examples }) =>
  examples.map((example) => ({ type, kind, ...example })),
);
/** Programs of the machine that examples run, by the language. */
const programs = new Map([
  ['perl', 'perl'],
  ['python', 'python3'],
]);
const canRun = ({ type }: { type: string }): boolean => {
  const program = programs.get(type.split('.')[1] ?? '');
  return program === undefined || spawnSync(program, ['--version']).status === 0;
};
const cases = examples.filter((example) => (example.runs || example.type in companions) && canRun(example));
const boards = examples.filter(({ type }) => type.startsWith('core.dashboard.'));
/** The longest an example may take; a reader who tries one should not wait longer. */
const patienceMs = 20_000;

interface Example {
  readonly namespace: string;
  readonly id: string;
  readonly inputs?: readonly { readonly id: string; readonly type: string }[];
}

/** Rows that make sense to every example that takes a file. */
const rows =
  '{"customer_id":1,"amount":90}\n{"customer_id":2,"amount":200}\n{"customer_id":1,"amount":300}\n';

/** Files in other formats, for the examples that read them. */
const documents: readonly (readonly [RegExp, string])[] = [
  [/\.JsonTo/, '[{"customer_id": 1, "amount": 90}, {"customer_id": 2, "amount": 200}]'],
  [/\.YamlTo/, '- customer_id: 1\n  amount: 90\n- customer_id: 2\n  amount: 200\n'],
  [/\.IonToParquet$/, 'customer_id,amount\n1,90\n2,200\n'],
];

/** A file for every input that needs one. */
function filesFor(type: string, inputs: NonNullable<Example['inputs']>) {
  const content = documents.find(([types]) => types.test(type))?.[1] ?? rows;
  const files = inputs.filter(({ type }) => type === 'FILE');
  if (files.length === 0) return {};
  return multipart(...files.map(({ id }) => ({ name: id, fileName: 'rows.jsonl', content })));
}

/** Users copy examples, so those that need no other service must work unchanged. */
describe('examples of plugins', () => {
  const shared = sharedServer(sqlite, { env: { PATH: process.env.PATH ?? '' }, definitions: connectors });

  it.each(cases)(
    '$type: $title',
    async ({ code, type }) => {
      const server = shared();
      const companion = companions[type];
      if (companion !== undefined) await server.saveFlow(companion);
      // `as`: every example is checked to be a flow by a test of the plugins.
      const { namespace, id, inputs = [] } = parse(code) as Example;
      // Two examples may share an id, as examples do.
      await server.call('DELETE', `/flows/${namespace}/${id}`);
      await server.saveFlow(code);
      const started = await server.call('POST', `/executions/${namespace}/${id}`, filesFor(type, inputs));
      expect([started.status, started.body.message]).toEqual([200, undefined]);
      const executionId = String(started.body.id);
      const execution = await server.waitForState(
        executionId,
        'SUCCESS',
        'WARNING',
        'FAILED',
        'KILLED',
        'CANCELLED',
      );
      const failures = taskRunsOf(execution).filter((run) => stateOf(run) === 'FAILED');
      const logs = await server.product.store.listLogs({ executionId, minLevel: 'ERROR' });
      expect({
        state: stateOf(execution),
        failed: failures.map(({ taskId }) => taskId),
        errors: logs.map(({ message }) => message),
      }).toMatchObject({ state: expect.stringMatching(/^(SUCCESS|WARNING)$/) });
    },
    patienceMs,
  );

  it.each(boards)('$type: $title', async ({ code }) => {
    const { charts } = parse(code) as { charts: readonly { id: string; data?: unknown }[] };
    const saved = await shared().call('POST', '/dashboards', yaml(code));
    expect([saved.status, saved.body.message]).toEqual([200, undefined]);
    for (const { id, data } of charts) {
      if (!data) continue;
      const path = `/dashboards/${String(saved.body.id)}/charts/${id}`;
      const { status, body } = await shared().call('POST', path, { payload: {} });
      expect([status, body.message, Array.isArray(body.results)]).toEqual([200, undefined, true]);
    }
  });
});

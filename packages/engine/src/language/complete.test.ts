import { describe, expect, it } from 'vitest';
import { complete, completeInExecution } from './complete.ts';
import { signatureHelp } from './signature.ts';
import { aContext, atCursor } from './testing/cursor.ts';

const head = `id: etl
namespace: company.data
inputs:
  - { id: day, type: DATE, description: The day to load }
  - { id: dry-run, type: BOOLEAN }
  - { id: db.host, type: STRING }
variables:
  bucket: b
labels:
  team: data
triggers:
  - { id: hook, type: core.trigger.Webhook, key: k }
tasks:
  - { id: call, type: core.http.Request, uri: x }
  - id: each
    type: core.flow.ForEach
    values: [1, 2]
    tasks:
      - { id: inner, type: core.debug.Return, format: x }
      - id: here
        type: core.log.Log
        message: `;
const tail = `
  - { id: last, type: core.debug.Return, format: x }
`;

/** The lines at the cursor as they would read after each completion. */
function goOn(value: string, context = aContext): string[] {
  const { text, offset, document } = atCursor(`${head}${value}‸${tail}`);
  const start = text.lastIndexOf('message: ', offset) + 'message: '.length;
  return complete(text, offset, document, context).map(
    ({ insert, from }) => text.slice(start, from) + insert,
  );
}

describe('completes', () => {
  it.each([
    ['inputs', '"{{ inputs.', ['"{{ inputs.day', "\"{{ inputs['dry-run']", '"{{ inputs.db']],
    ['inputs with dots', '"{{ inputs.db.', ['"{{ inputs.db.host']],
    [
      'tasks that have run, the nearest first',
      '"{{ outputs.',
      ['"{{ outputs.inner', '"{{ outputs.each', '"{{ outputs.call'],
    ],
    [
      'properties of outputs',
      '"{{ outputs.call.',
      ['"{{ outputs.call.body', '"{{ outputs.call.code', '"{{ outputs.call.request'],
    ],
    ['nested properties', '"{{ outputs.call.request.', ['"{{ outputs.call.request.uri']],
    ['properties that the last execution had', '"{{ outputs.call.body.', ['"{{ outputs.call.body.items']],
    ['the iteration of a task in the same loop', '"{{ outputs.inner.', ['"{{ outputs.inner[taskrun.value]']],
    [
      'outputs of the iteration',
      '"{{ outputs.inner[taskrun.value].',
      ['"{{ outputs.inner[taskrun.value].value'],
    ],
    ['variables', '"{{ vars.b', ['"{{ vars.bucket']],
    ['labels', '"{{ labels.', ['"{{ labels.team', '"{{ labels.cost']],
    ['labels with dots', '"{{ labels.cost.', ['"{{ labels.cost.center']],
    ['outputs of triggers', '"{{ trigger.', ['"{{ trigger.body', '"{{ trigger.headers']],
    ['states', '"{{ tasks.call.', ['"{{ tasks.call.state']],
    ['tests', '"{{ 1 is ev', expect.arrayContaining(['"{{ 1 is even', '"{{ 1 is equalTo($0)'])],
    ['filters', '"{{ 1 | ', expect.arrayContaining(['"{{ 1 | upper', '"{{ 1 | date', '"{{ 1 | replace($0)'])],
    ['functions', '"{{ n', expect.arrayContaining(['"{{ now($0)', '"{{ uuid()', '"{{ inputs', '"{{ parent'])],
    ['arguments', '"{{ now() | date(vars.', ['"{{ now() | date(vars.bucket']],
    ['secrets', `"{{ secret('`, [`"{{ secret('API_KEY`, `"{{ secret('DB_PASSWORD`]],
    ['KV keys', `"{{ kv('m`, [`"{{ kv('cursor`, `"{{ kv('mode`]],
    ['files', `"{{ read('`, [`"{{ read('/queries/orders.sql`, `"{{ read('/scripts/run.py`]],
    ['names in brackets', `"{{ inputs['`, [`"{{ inputs['day`, `"{{ inputs['dry-run`, `"{{ inputs['db`]],
    ['tags', '"{% ', expect.arrayContaining(['"{% if', '"{% for'])],
    [
      'values of the loop',
      '"{{ taskrun.',
      expect.arrayContaining(['"{{ taskrun.value', '"{{ taskrun.iteration']),
    ],
  ])('%s', (_, value, expected) => expect(goOn(value)).toEqual(expected));

  it.each(['text ', '"{{ inputs.day }} ', '"{{ inputs.day.', '"{{ nothing.', '"{{ 1 ', `"{{ now('`])(
    'nothing for %s',
    (value) => expect(goOn(value)).toEqual([]),
  );

  it('completes in a text over several lines', () => {
    expect(goOn('|\n          one\n          {{ vars.')).toEqual([expect.stringMatching(/vars\.bucket$/)]);
  });

  it('does not take an expression that is open above for its own', () => {
    const { text, offset, document } = atCursor(
      `id: a\nnamespace: b\ndescription: "{{ x"\ntasks:\n  - id: ‸\n`,
    );
    expect(complete(text, offset, document, aContext)).toEqual([]);
  });
});

describe('completes values that name something', () => {
  const values = (marked: string) => {
    const { text, offset, document } = atCursor(marked);
    return complete(text, offset, document, aContext).map(({ insert }) => insert);
  };
  const flow = (tasks: string) => `id: a\nnamespace: company.data\ntasks:\n${tasks}`;

  it('subflows of the namespace, and their inputs', () => {
    const subflow = '  - id: s\n    type: core.flow.Subflow\n    namespace: company.data\n';
    expect(values(flow(`${subflow}    flowId: ‸\n`))).toEqual(['load']);
    expect(values(flow(`${subflow}    flowId: load\n    inputs:\n      day: x\n      ‸\n`))).toEqual([
      'full: ',
    ]);
    expect(values(flow('  - id: s\n    type: core.flow.Subflow\n    namespace: ‸\n'))).toEqual([
      'company.data',
      'company.other',
    ]);
  });

  it('A-1.13 worker groups', () => {
    expect(
      values(flow('  - id: a\n    type: core.log.Log\n    message: x\n    workerGroup:\n      key: ‸\n')),
    ).toEqual(['gpu', 'on-premises']);
  });

  it('tasks of the same Dag', () => {
    const dag = `  - id: d\n    type: core.flow.Dag\n    tasks:\n      - task: { id: a, type: x.Y }\n      - task: { id: b, type: x.Y }\n        dependsOn: [‸]\n`;
    expect(values(flow(dag))).toEqual(['a', 'b']);
  });
});

describe('signature help', () => {
  const help = (value: string) => signatureHelp(value, value.length);

  it.each([
    ['{{ secret(', 'secret(key, namespace?, subkey?)', 0],
    [`{{ secret('a', `, 'secret(key, namespace?, subkey?)', 1],
    [`{{ secret('a', subkey=`, 'secret(key, namespace?, subkey?)', 2],
    ['{{ now() | date(', 'date(format?, timeZone?, existingFormat?, locale?)', 0],
    [`{{ now(date('a', `, undefined, 0],
    ['{{ max(1, ', 'max(…values)', 0],
  ])('%s', (value, label, active) => {
    expect(help(value)?.label).toBe(label);
    if (label) expect(help(value)?.active).toBe(active);
  });

  it.each(['{{ now() ', 'secret(', '{{ nothing('])('none in %s', (value) =>
    expect(help(value)).toBeUndefined(),
  );
});

describe('completes an expression about an execution', () => {
  const { document } = atCursor(`${head}x‸${tail}`);
  const variables = {
    inputs: { day: 'mon', 'dry-run': true },
    trigger: { date: '2026-01-01' },
    outputs: {
      load: { rows: [{ id: 1 }], size: { 'in bytes': 3 } },
      inner: { eu: { code: 0 }, us: { code: 1 } },
    },
  };
  const inRun = (before: string, flow = document) =>
    completeInExecution(before, flow, { id: 'e', variables }).map(
      ({ insert, from }) => before.slice(0, from) + insert,
    );

  it.each([
    ['outputs.l', ['outputs.load', 'outputs.last']],
    ['outputs.load.', ['outputs.load.rows', 'outputs.load.size']],
    ['outputs.load.size.', ["outputs.load.size['in bytes']"]],
    ['outputs.load.rows[0].', ['outputs.load.rows[0].id']],
    ['outputs.inner["e', ['outputs.inner.eu']],
    ["outputs.load.size['in", ["outputs.load.size['in bytes']"]],
    ['outputs.inner.us.c', ['outputs.inner.us.code']],
    ['inputs.d', ['inputs.day', "inputs['dry-run']", 'inputs.db']],
    ['{{ inputs.da', ['{{ inputs.day']],
    ['trigger.', ['trigger.date']],
    ['outputs.load.size | upp', ['outputs.load.size | upper']],
    ['inp', ['inputs']],
  ])('%s', (before, expected) => {
    expect(inRun(before)).toEqual(expected);
  });

  it('offers the positions of a list first', () => {
    expect(inRun('outputs.load.rows[')[0]).toBe('outputs.load.rows[0]');
  });

  it('offers nothing outside of an expression, and nothing below a value that is not there', () => {
    expect(inRun('{{ inputs.day }} and inputs.')).toEqual([]);
    expect(inRun('outputs.nothing.')).toEqual([]);
    expect(completeInExecution('outputs.inner.', undefined, { id: 'e', variables })).toHaveLength(2);
  });
});

import type { Flow } from '@millrace/contract';
import { describe, expect, it } from 'vitest';
import { parseFlow } from '../flow/parseFlow.ts';
import { dryRun } from './dryRun.ts';
import type { DryRunOptions, DryRunResult, TaskTypes } from './types.ts';

const now = Date.parse('2026-01-01T00:00:00Z');

const types: TaskTypes = {
  find: (type) => {
    if (type === 'core.http.Request')
      return {
        type,
        outputs: { type: 'object', properties: { code: { type: 'integer' }, body: {} } },
        fixed: [],
        raw: [],
      };
    if (type === 'core.execution.Assert')
      return { type, outputs: {}, fixed: [], raw: ['conditions', 'errorMessage'] };
    if (type === 'core.kv.Set') return { type, outputs: {}, fixed: [], raw: ['value'] };
    return undefined;
  },
};

function flowOf(text: string): Flow {
  const { flow, issues } = parseFlow(`id: orders\nnamespace: company.team\n${text}`);
  expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  if (!flow) throw new Error('The text is not a flow.');
  return flow;
}

const run = (text: string, options: Partial<DryRunOptions> = {}): Promise<DryRunResult> =>
  dryRun(flowOf(text), { types, now, ...options });

const statesOf = ({ taskRuns }: DryRunResult) =>
  Object.fromEntries(taskRuns.map(({ taskId, state }) => [taskId, state]));
const propertyAt = ({ taskRuns, properties }: DryRunResult, path: string) =>
  [...taskRuns.flatMap((taskRun) => taskRun.properties), ...properties].find((each) => each.path === path);

const branching = `
inputs: [{id: amount, type: INT, defaults: 5}]
tasks:
  - id: big
    type: core.flow.If
    condition: "{{ inputs.amount > 10 }}"
    then: [{id: ask, type: core.log.Log, message: ask}]
    else: [{id: pay, type: core.log.Log, message: "pay {{ inputs.amount }}"}]
  - id: kind
    type: core.flow.Switch
    value: a
    cases:
      a: [{id: first, type: core.log.Log, message: a}]
      b: [{id: second, type: core.log.Log, message: b}]
    defaults: [{id: other, type: core.log.Log, message: c}]
`;

describe('dry run', () => {
  it('runs a flow to its end and renders every property with its path', async () => {
    const result = await run(branching);
    expect(result.execution.state.current).toBe('SUCCESS');
    expect(statesOf(result)).toEqual({
      big: 'SUCCESS',
      pay: 'SUCCESS',
      kind: 'SUCCESS',
      first: 'SUCCESS',
    });
    expect(result.untaken).toEqual(['ask', 'second', 'other']);
    expect(propertyAt(result, 'tasks[0].condition')).toEqual({ path: 'tasks[0].condition', value: 'false' });
    expect(propertyAt(result, 'tasks[0].else[0].message')?.value).toBe('pay 5');
    expect(result.logs.map(({ taskId, message }) => [taskId, message])).toEqual([
      ['pay', 'pay 5'],
      ['first', 'a'],
    ]);
    expect(result.assumptions).toEqual([]);
  });

  it('takes the branches that the caller forces', async () => {
    const result = await run(branching, { branches: { big: 'then', kind: 'defaults', second: 'skip' } });
    expect(result.untaken).toEqual(['pay', 'first', 'second']);
    const skipped = await run(branching, { branches: { pay: 'skip' } });
    expect(statesOf(skipped).pay).toBe('SKIPPED');
  });

  it('points at a value that does not exist, fails its task and runs the error handler', async () => {
    const result = await run(`
tasks:
  - {id: broken, type: core.log.Log, message: "{{ outputs.nothing.at.all }}"}
  - {id: never, type: core.log.Log, message: later}
errors: [{id: tell, type: core.log.Log, message: "{{ errorLogs() | length }}"}]
`);
    expect(result.execution.state.current).toBe('FAILED');
    expect(propertyAt(result, 'tasks[0].message')).toMatchObject({ isUndefined: true });
    expect(statesOf(result)).toEqual({ broken: 'FAILED', tell: 'SUCCESS' });
    expect(result.logs.at(-1)?.message).toBe('1');
  });

  it('generates the outputs that the flow reads, and marks all values that depend on them', async () => {
    const result = await run(`
tasks:
  - {id: fetch, type: core.http.Request, uri: "https://example.com"}
  - id: each
    type: core.flow.ForEach
    values: "{{ outputs.fetch.body.orders }}"
    tasks: [{id: show, type: core.debug.Return, format: "{{ taskrun.value }} {{ outputs.fetch.code }}"}]
  - {id: wrong, type: core.log.Log, message: "{{ outputs.fetch.cod }}"}
`);
    expect(result.taskRuns[0]).toMatchObject({
      source: 'generated',
      outputs: { code: 200, body: { orders: ['orders'] } },
    });
    expect(propertyAt(result, 'tasks[1].tasks[0].format')).toMatchObject({
      value: 'orders 200',
      isAssumed: true,
    });
    // A part that the schema does not have is pointed at, but may only be missing in generated outputs.
    expect(propertyAt(result, 'tasks[2].message')).toMatchObject({ isUndefined: true, isAssumed: true });
    expect(result.execution.state.current).toBe('SUCCESS');
  });

  it('A-3.2 A-3.3 prefers pinned outputs, computes what it can, and copies the rest of an earlier execution', async () => {
    const text = `
tasks:
  - {id: fetch, type: core.http.Request, uri: "https://example.com"}
  - {id: text, type: core.debug.Return, format: "new {{ outputs.fetch.code }}"}
`;
    const copied = await run(text, {
      tasks: [
        { id: 'fetch', outputs: { code: 404 }, from: 'execution' },
        { id: 'text', outputs: { value: 'old' }, from: 'execution' },
      ],
    });
    expect(copied.taskRuns.map(({ outputs, source }) => [outputs, source])).toEqual([
      [{ code: 404 }, 'execution'],
      [{ value: 'new 404' }, 'computed'],
    ]);
    const pinned = await run(text, { tasks: [{ id: 'text', outputs: { value: 'pinned' } }] });
    expect(pinned.taskRuns[1]).toMatchObject({ outputs: { value: 'pinned' }, source: 'pinned' });
  });

  it('applies several fixtures of a task in order and those of a loop value to that value', async () => {
    const result = await run(
      `
tasks:
  - id: each
    type: core.flow.ForEach
    values: [a, b, c]
    tasks: [{id: fetch, type: core.http.Request, uri: "https://example.com", allowFailure: true}]
`,
      {
        tasks: [
          { id: 'fetch', outputs: { code: 1 } },
          { id: 'fetch', outputs: { code: 2 } },
          { id: 'fetch', value: 'b', state: 'FAILED' },
        ],
      },
    );
    const runs = result.taskRuns.filter(({ taskId }) => taskId === 'fetch');
    expect(runs.map(({ state, outputs }) => [state, outputs?.code])).toEqual([
      ['SUCCESS', 1],
      ['WARNING', undefined],
      ['SUCCESS', 2],
    ]);
  });

  it('A-3.5 retries, sleeps and pauses in virtual time, and ends a sleep at its timeout', async () => {
    const result = await run(
      `
tasks:
  - id: fetch
    type: core.http.Request
    uri: "https://example.com"
    allowFailure: true
    retry: {type: constant, interval: PT1M, maxAttempts: 3}
  - {id: sleep, type: core.flow.Sleep, duration: P1D, timeout: PT1H, allowFailure: true}
  - {id: wait, type: core.flow.Pause, pauseDuration: PT2H}
  - {id: ask, type: core.flow.Pause, onResume: [{id: ok, type: BOOLEAN, defaults: false}]}
  - {id: at, type: core.debug.Return, format: "{{ now() | date('HH:mm', timeZone='UTC') }} {{ outputs.ask.onResume.ok }}"}
`,
      { tasks: [{ id: 'fetch', state: 'FAILED' }] },
    );
    expect(result.taskRuns.find(({ taskId }) => taskId === 'fetch')?.attempts).toBe(3);
    expect(result.taskRuns.at(-1)?.outputs).toEqual({ value: '03:02 false' });
    expect(result.execution.state.current).toBe('WARNING');
  });

  it('fails the first attempts of a fixture, and never fails a check of made-up values', async () => {
    const retried = await run(
      `
tasks:
  - id: fetch
    type: core.http.Request
    uri: "https://example.com"
    retry: {type: constant, interval: PT1M, maxAttempts: 3, warningOnRetry: true}
`,
      { tasks: [{ id: 'fetch', outputs: { code: 200 }, failedAttempts: 2 }] },
    );
    expect(retried.taskRuns[0]).toMatchObject({ attempts: 3, state: 'WARNING', outputs: { code: 200 } });
    const checked = await run(`
tasks:
  - {id: fetch, type: core.http.Request, uri: "https://example.com"}
  - {id: made_up, type: core.execution.Assert, conditions: ["{{ outputs.fetch.body == 'fine' }}"]}
  - {id: file, type: core.execution.Fail, condition: "{{ read('a.txt') != '' }}"}
  - {id: certain, type: core.execution.Assert, conditions: ["{{ 1 > 2 }}"]}
`);
    expect(statesOf(checked)).toEqual({
      fetch: 'SUCCESS',
      made_up: 'SUCCESS',
      file: 'SUCCESS',
      certain: 'FAILED',
    });
    expect(checked.logs.filter(({ level }) => level === 'WARN')).toHaveLength(2);
  });

  it('A-3.14 keeps values and files inside, and uses marked placeholders for the outside', async () => {
    const result = await run(
      `
tasks:
  - {id: set, type: core.kv.Set, key: total, value: "{{ 2 + 3 }}"}
  - {id: get, type: core.kv.Get, key: total}
  - {id: write, type: core.storage.Write, content: "sum {{ outputs.get.value }}"}
  - {id: read, type: core.debug.Return, format: "{{ read(outputs.write.uri) }}"}
  - {id: fixed, type: core.debug.Return, format: "{{ kv('known') }} {{ secret('TOKEN') }} {{ read('a.txt') }}"}
  - {id: outside, type: core.debug.Return, format: "{{ kv('other') }} {{ http('https://example.com') }}"}
`,
      { kv: { known: 'k' }, secrets: { TOKEN: 't' }, files: { 'a.txt': 'file' } },
    );
    const values = Object.fromEntries(result.taskRuns.map(({ taskId, outputs }) => [taskId, outputs?.value]));
    expect(values).toMatchObject({
      read: 'sum 5',
      fixed: 'k t file',
      outside: 'kv(other) http(https://example.com)',
    });
    expect(result.assumptions).toEqual([
      { kind: 'kv', name: 'other' },
      { kind: 'http', name: 'https://example.com' },
    ]);
  });

  it('ends subflows with their declared, expected or fixed outputs', async () => {
    const text = `
tasks:
  - {id: call, type: core.flow.Subflow, namespace: company.team, flowId: report}
  - {id: show, type: core.debug.Return, format: "{{ outputs.call.outputs.file }}"}
`;
    const expected = await run(text);
    expect(expected.taskRuns.at(-1)?.outputs).toEqual({ value: 'file' });
    expect(expected.assumptions).toEqual([{ kind: 'subflow', name: 'company.team.report' }]);
    const declared = await run(text, {
      subflowOutputs: () => [{ id: 'file', type: 'INT', value: '' }],
    });
    expect(declared.taskRuns.at(-1)?.outputs).toEqual({ value: '1' });
    const failed = await run(text, { tasks: [{ id: 'call', state: 'FAILED' }] });
    expect(failed.execution.state.current).toBe('FAILED');
  });

  it('splits the file of a ForEachItem into as many batches as its fixture has', async () => {
    const result = await run(
      `
tasks:
  - {id: all, type: core.flow.ForEachItem, items: "millrace:///a", namespace: company.team, flowId: one, transmitFailed: false, inputs: {rows: "{{ taskrun.items }}"}}
`,
      {
        tasks: [{ id: 'all_items', outputs: { numberOfBatches: 3, iterations: { SUCCESS: 2, FAILED: 1 } } }],
      },
    );
    expect(result.execution.state.current).toBe('SUCCESS');
    const items = result.taskRuns.find(({ taskId }) => taskId === 'all_items');
    expect(items?.outputs).toMatchObject({ numberOfBatches: 3, iterations: { SUCCESS: 2, FAILED: 1 } });
  });

  it('reads inputs as a start does, and generates missing ones only when asked', async () => {
    const text = `
inputs: [{id: age, type: INT, min: 18}, {id: key, type: SECRET}]
tasks: [{id: show, type: core.log.Log, message: "{{ inputs.age }} {{ inputs.key }}"}]
`;
    const refused = await run(text);
    expect(refused.inputErrors).toHaveLength(2);
    expect(refused.taskRuns).toEqual([]);
    const generated = await run(text, { generatesInputs: true });
    expect(generated.logs[0]?.message).toBe('18 key');
    expect(propertyAt(generated, 'tasks[0].message')?.isAssumed).toBe(true);
    const given = await run(text, { inputs: { age: 20, key: 'x' } });
    expect(propertyAt(given, 'tasks[0].message')).toEqual({ path: 'tasks[0].message', value: '20 x' });
  });

  it('renders the condition of a loop when its children have ended', async () => {
    const result = await run(`
tasks:
  - id: loop
    type: core.flow.LoopUntil
    condition: "{{ outputs.step.value == 'done' }}"
    tasks: [{id: step, type: core.debug.Return, format: done}]
`);
    expect(propertyAt(result, 'tasks[0].condition')).toEqual({ path: 'tasks[0].condition', value: 'true' });
    expect(result.execution.state.current).toBe('SUCCESS');
  });

  it('stops a loop without end with a reason', async () => {
    const result = await run(
      `
tasks:
  - id: loop
    type: core.flow.LoopUntil
    condition: "{{ false }}"
    checkFrequency: {interval: PT1S, maxIterations: 100000}
    tasks: [{id: step, type: core.log.Log, message: again}]
`,
      { limits: { steps: 300 } },
    );
    expect(result.stopped).toBe('The dry run was stopped after 300 steps.');
  });

  it('runs listeners, finally and afterExecution, and evaluates expressions afterward', async () => {
    const result = await run(`
tasks: [{id: bad, type: core.execution.Fail, errorMessage: no}]
finally: [{id: clean, type: core.log.Log, message: "{{ execution.state }}"}]
afterExecution: [{id: after, type: core.debug.Return, format: "{{ execution.state }}"}]
outputs: [{id: text, type: STRING, value: done}]
`);
    expect(statesOf(result)).toEqual({ bad: 'FAILED', clean: 'SUCCESS', after: 'SUCCESS' });
    expect(result.evaluate('{{ outputs.after.value }}')).toBe('FAILED');
    expect(result.evaluate('{{ tasks.bad.state }}')).toBe('FAILED');
  });
});

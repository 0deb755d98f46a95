import { parseFlow } from '@millrace/engine';
import { readTestSuite, runTestSuite } from '@millrace/engine/flow-test';
import { describe, expect, it } from 'vitest';
import { fixturesOf, noChoices, readMap } from './choices.ts';
import { type DryRunRequest, type DryRunShown, runRequest } from './runInWorker.ts';
import { toSuite } from './toSuite.ts';

const source = `id: orders
namespace: company.team
inputs:
  - id: amount
    type: INT
    defaults: 5
tasks:
  - id: big
    type: core.flow.If
    condition: "{{ inputs.amount > 10 }}"
    then:
      - id: ask
        type: core.log.Log
        message: ask
    else:
      - id: pay
        type: core.log.Log
        message: |
          pay
          {{ inputs.amount }}
  - id: broken
    type: core.log.Log
    message: "{{ outputs.nothing }}"
`;

async function run(part: Partial<DryRunRequest> = {}): Promise<DryRunShown> {
  const request = { id: 1, source, types: [], now: 0, inputs: {}, tasks: [], branches: {} };
  const reply = await runRequest({ ...request, ...part }, () => 0);
  if ('unreadable' in reply) throw new Error(reply.unreadable);
  return reply;
}

describe('the dry run of the editor', () => {
  it('puts each rendered value beside its line and points at what does not exist', async () => {
    const shown = await run();
    expect(shown.notes).toEqual([
      { line: 10, text: 'false', tone: 'value' },
      { line: 18, text: 'pay 5', tone: 'value' },
      { line: 23, text: expect.stringContaining('Unable to find `nothing`'), tone: 'error' },
    ]);
    expect(shown.problems).toEqual([
      {
        taskId: 'broken',
        line: 23,
        message: expect.stringContaining('nothing'),
        isUndefined: true,
        isAssumed: false,
      },
    ]);
    expect(shown.execution.state.current).toBe('FAILED');
  });

  it('shows each task with its state and what can be chosen for it', async () => {
    const { tasks, inputs } = await run({ inputs: { amount: '11' } });
    expect(tasks.map(({ id, state, runs, branches, canFix }) => [id, state, runs, branches, canFix])).toEqual(
      [
        ['big', 'SUCCESS', 1, ['then', 'else'], false],
        ['ask', 'SUCCESS', 1, [], true],
        ['pay', undefined, 0, [], true],
        ['broken', 'FAILED', 1, [], true],
      ],
    );
    expect(inputs).toEqual([{ id: 'amount', type: 'INT', defaults: '5' }]);
    const forced = await run({ branches: { big: 'then' } });
    expect(forced.tasks.find(({ id }) => id === 'ask')?.runs).toBe(1);
  });

  it('counts the runs of a loop and says why a text cannot be run', async () => {
    const looped = source.replace('type: core.flow.If', 'type: core.flow.ForEach');
    const each = looped
      .replace('condition: "{{ inputs.amount > 10 }}"', 'values: [1, 2]')
      .replace('then:', 'tasks:')
      .replace(/ {4}else:[\s\S]*?(?= {2}- id: broken)/, '')
      .replace('message: ask', 'message: "{{ taskrun.value }}"');
    expect((await run({ source: each })).notes[0]).toEqual({ line: 14, text: '1 (×2)', tone: 'value' });
    expect(
      await runRequest(
        { id: 7, source: 'id: [', types: [], now: 0, inputs: {}, tasks: [], branches: {} },
        () => 0,
      ),
    ).toEqual({ id: 7, unreadable: expect.any(String) });
  });

  it('becomes a test suite with what was chosen, which passes', async () => {
    const branches = { big: 'then' };
    const shown = await run({ branches, tasks: [{ id: 'broken', state: 'FAILED', from: 'user' }] });
    const flow = { namespace: 'company.team', id: 'orders' };
    const text = toSuite(flow, shown, { ...noChoices, branches, failing: ['broken'] }, []);
    const { suite, issues } = readTestSuite(text);
    expect(issues).toEqual([]);
    expect(suite?.testCases[0]).toMatchObject({
      fixtures: { branches, inputs: { amount: 5 }, tasks: [{ id: 'broken', state: 'FAILED' }] },
      assertions: expect.arrayContaining([{ state: 'FAILED' }, { untaken: ['pay'] }]),
    });
    const parsed = parseFlow(source).flow;
    const outcome =
      suite && parsed && (await runTestSuite(suite, parsed, { types: { find: () => undefined } }));
    expect(outcome?.state).toBe('SUCCESS');
  });

  it('prefers failures and pinned outputs to those of the last execution', () => {
    const copied = [
      { id: 'a', outputs: {} },
      { id: 'b', outputs: {} },
      { id: 'c', outputs: {} },
    ];
    const choices = { ...noChoices, failing: ['a'], pinned: { a: '{}', b: '{"x": 1}', d: 'no' } };
    expect(fixturesOf(choices, copied)).toEqual([
      { id: 'a', state: 'FAILED', from: 'user' },
      { id: 'b', outputs: { x: 1 }, from: 'user' },
      { id: 'c', outputs: {} },
    ]);
    expect(fixturesOf({ ...choices, from: 'generated' }, copied)).toHaveLength(2);
    expect([readMap('[1]'), readMap('{')]).toEqual([undefined, undefined]);
  });
});

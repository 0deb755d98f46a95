import { flowGraph, parseFlow } from '@millrace/engine';
import { renderHook, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { describe, expect, test } from 'vitest';
import { mergeIssues, readValidation, splitConstraints, withProductTerms } from './issues.ts';
import { lineOfTask, taskAt, writtenTaskAt } from './taskAt.ts';
import { keepGraph, useParsedFlow } from './useParsedFlow.ts';

const source = `id: etl
namespace: company.team
inputs:
  - id: load
    type: STRING
tasks:
  - id: fan_out
    type: core.flow.Parallel
    tasks:
      - id: clean
        type: core.log.Log
        message: |
          two
          lines
      - {id: "load", type: core.log.Log, message: x}
  - id: dag
    type: core.flow.Dag
    tasks:
      - task:
          id: inner
          type: core.log.Log
          message: hello
        dependsOn: []
triggers:
  - id: daily
    type: core.trigger.Schedule
    cron: "0 9 * * *"
`;
const parsed = parseFlow(source);

describe('taskAt', () => {
  test.each([
    ['the head of the flow', 1, 1, undefined],
    ['an input', 4, 8, undefined],
    ['a control task', 8, 12, 'fan_out'],
    ['a task inside it', 11, 12, 'clean'],
    ['a later line of its text', 14, 12, 'clean'],
    ['a task on one line', 15, 30, 'load'],
    ['a task of a dag', 22, 14, 'inner'],
    ['a trigger', 27, 8, 'daily'],
  ])('%s', (_, line, column, id) => {
    expect(taskAt(source, parsed, line, column)).toBe(id);
  });
});

describe('writtenTaskAt', () => {
  const broken = source.replace('id: etl', 'id: [etl');
  test.each([
    ['the head of the flow', 1, undefined],
    ['an input', 4, undefined],
    ['a control task', 8, { id: 'fan_out', type: 'core.flow.Parallel' }],
    ['a task inside it', 11, { id: 'clean', type: 'core.log.Log' }],
    ['a later line of its text', 14, { id: 'clean', type: 'core.log.Log' }],
    ['a task on one line', 15, { id: 'load', type: 'core.log.Log' }],
    ['a control task, below its children', 18, { id: 'dag', type: 'core.flow.Dag' }],
    ['a trigger', 27, { id: 'daily', type: 'core.trigger.Schedule' }],
    ['the empty line at the end', 28, { id: 'daily', type: 'core.trigger.Schedule' }],
  ])('reads %s although another line is wrong', (_, line, task) => {
    expect(parseFlow(broken).flow).toBeUndefined();
    expect(writtenTaskAt(broken, line)).toEqual(task);
  });
});

test.each([
  ['clean', 10],
  ['load', 15],
  ['inner', 20],
  ['daily', 25],
  ['cle', undefined],
])('the task %s is written on line %s', (id, line) => {
  expect(lineOfTask(source, parsed, id)).toBe(line);
});

describe('S2-5.12 splitConstraints', () => {
  test.each([
    ['', []],
    [
      'a, b',
      [
        { path: '', message: 'a' },
        { path: '', message: 'b' },
      ],
    ],
    ['tasks[0].message: must not be null', [{ path: 'tasks[0].message', message: 'must not be null' }]],
    [
      'id: must match, and be short, tasks: must not be empty',
      [
        { path: 'id', message: 'must match, and be short' },
        { path: 'tasks', message: 'must not be empty' },
      ],
    ],
    ['Invalid Flow: two tasks named x', [{ path: '', message: 'two tasks named x' }]],
    [
      'tasks[1].type: Invalid type: no.Such, variables["a b"].c: is odd, Invalid Flow: Duplicate task id with name [a]; other',
      [
        { path: 'tasks[1].type', message: 'Invalid type: no.Such' },
        { path: 'variables["a b"].c', message: 'is odd' },
        { path: '', message: 'Duplicate task id with name [a]' },
        { path: '', message: 'other' },
      ],
    ],
  ])('%j', (text, parts) => {
    expect(splitConstraints(text)).toEqual(parts);
  });
});

test('S2-5.13 the answer of the server becomes issues with the place of their path', () => {
  const issues = readValidation(
    {
      index: 0,
      outdated: false,
      constraints:
        'triggers[0].cron: is odd, tasks[0].tasks[1].level: is required, triggers[0].x: is required',
      deprecationPaths: ['inputs[0].name'],
      warnings: ['w', 'tasks[0].level: must be one of "INFO" but received "LOUD"'],
      infos: ['i', 'tasks[0].type: "a" is another name for "b"'],
    },
    { markOf: parsed.markOf, deprecated: (path) => `${path} is old` },
  );
  expect(issues.map(({ severity, message }) => [severity, message])).toEqual([
    ['error', 'is odd'],
    ['error', 'is required'],
    ['error', 'is required'],
    ['deprecation', 'inputs[0].name is old'],
    ['warning', 'w'],
    ['warning', 'must be one of "INFO" but received "LOUD"'],
    ['info', 'i'],
    ['info', '"a" is another name for "b"'],
  ]);
  // A property that is missing is marked on the task or trigger that should have it.
  expect(issues.slice(0, 3).map(({ range }) => range?.start.line)).toEqual([27, 15, 25]);
  expect(issues[5]).toMatchObject({ path: 'tasks[0].level', range: { start: { line: 7 } } });
  expect(issues[7]).toMatchObject({ path: 'tasks[0].type', range: { start: { line: 8 } } });
});

test.each([
  ['the same message', { path: '', message: 'No id.' }, 1],
  ['another finding at the same path', { path: 'id', message: 'other words' }, 1],
  ['the message inside a longer one', { path: '', message: 'Invalid Flow: No id.' }, 1],
  ['something new', { path: 'tasks', message: 'New.' }, 2],
])('from the server, %s', (_, found, count) => {
  const local = [{ severity: 'error', path: 'id', message: 'No id.' } as const];
  expect(mergeIssues(local, [{ severity: 'error', ...found }])).toHaveLength(count);
});

test.each([
  ['S2-5.2', 'Invalid Flow: Duplicate task id with name [load]', 'Task Id load already exists in the flow'],
  ['S2-5.3', 'Duplicate trigger id with name [daily]', 'Trigger Id daily already exists in the flow'],
  ['the rest', 'something else', 'something else'],
])('%s is said in the words of the product', (_, message, words) => {
  const issue = { severity: 'error', path: 'tasks[1].id', message } as const;
  expect(withProductTerms(issue, i18next.t)).toEqual({ ...issue, message: words });
});

test('an id that is used twice is reported once, beside a type that does not exist', () => {
  const twice = source.replace('- id: clean', '- id: dag');
  const found = readValidation(
    {
      index: 0,
      outdated: false,
      constraints: 'tasks[1].type: Invalid type: no.Such, Invalid Flow: Duplicate task id with name [dag]',
    },
    { markOf: parseFlow(twice).markOf, deprecated: String },
  );
  const merged = mergeIssues(parseFlow(twice).issues, found);
  expect(
    merged.map((issue) => [withProductTerms(issue, i18next.t).message, issue.range?.start.line]),
  ).toEqual([
    ['Task Id dag already exists in the flow', 16],
    ['Invalid type: no.Such', 17],
  ]);
});

test('S2-5.2 S2-5.3 an id that is used twice is found', () => {
  const twice = source
    .replace('- id: clean', '- id: dag')
    .replace(
      '- id: daily',
      '- id: night\n    type: core.trigger.Schedule\n    cron: "0 1 * * *"\n  - id: night',
    );
  const messages = parseFlow(twice).issues.map((issue) => withProductTerms(issue, i18next.t).message);
  expect(messages).toContain('Task Id dag already exists in the flow');
  expect(messages).toContain('Trigger Id night already exists in the flow');
});

test('S2-8.6 a text that cannot be drawn keeps the last graph, and says nothing', () => {
  const { result, rerender } = renderHook(({ text }) => useParsedFlow(text), {
    initialProps: { text: source },
  });
  const { graph } = result.current;
  expect(graph?.nodes.length).toBeGreaterThan(0);
  rerender({ text: 'id: [' });
  expect(result.current).toMatchObject({ isOldGraph: true });
  expect(result.current.graph).toBe(graph);
});

test('a long text is read when typing pauses', async () => {
  const long = `${source}\n# ${'long '.repeat(1_000)}`;
  const { result, rerender } = renderHook(({ text }) => useParsedFlow(text), {
    initialProps: { text: long },
  });
  expect(result.current.source).toBe(long);
  const typed = long.replace('hello', 'hello there');
  rerender({ text: typed });
  expect(result.current.source).toBe(long);
  await waitFor(() => expect(result.current.source).toBe(typed));
});

test('a keystroke that the picture does not show keeps the graph', () => {
  const draw = (text: string) => flowGraph(parseFlow(text).flow!);
  const graph = draw(source);
  expect(keepGraph(graph, draw(source.replace('hello', 'hello there')))).toBe(graph);
  expect(keepGraph(graph, draw(source.replace('inner', 'outer')))).not.toBe(graph);
});

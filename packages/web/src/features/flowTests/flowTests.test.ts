import { parseFlow } from '@millrace/engine';
import { readTestSuite } from '@millrace/engine/flow-test';
import { expect, it } from 'vitest';
import { coverageMarks } from './Coverage.tsx';
import { firstSuite, freeId, withId } from './suiteSchema.ts';

const { flow } = parseFlow(
  'id: a\nnamespace: b\ninputs: [{id: n, type: INT, defaults: 3}]\ntasks: [{id: t, type: core.log.Log, message: x}]\n',
);

it('a new suite is valid, with the inputs of the flow and an id that is free', () => {
  if (!flow) throw new Error('The text is not a flow.');
  const id = freeId('a_test', ['a_test', 'a_test_2']);
  const { suite, issues } = readTestSuite(firstSuite(flow, id));
  expect(issues).toEqual([]);
  expect(suite).toMatchObject({
    id: 'a_test_3',
    flowId: 'a',
    testCases: [{ fixtures: { inputs: { n: 3 } } }],
  });
  expect(withId('id: x\nnamespace: id: y\n', 'z')).toBe('id: z\nnamespace: id: y\n');
});

it('A-6.9 the graph of the coverage shows tasks as covered, partly covered or not at all', () => {
  const branch = (taskId: string, name: string, isCovered: boolean) => ({ taskId, branch: name, isCovered });
  const marks = coverageMarks([
    branch('all', 'task', true),
    branch('part', 'then', true),
    branch('part', 'else', false),
    branch('none', 'task', false),
  ]);
  expect([...marks]).toEqual([
    ['all', 'covered'],
    ['part', 'partlyCovered'],
    ['none', 'notCovered'],
  ]);
});

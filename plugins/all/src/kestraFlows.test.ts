import { parseFlow } from '@millrace/engine';
import { expect, test } from 'vitest';
import { coreFlows } from './testing/coreFlows.ts';
import { otherFlows } from './testing/otherFlows.ts';
import { createFullCatalogue } from './testing.ts';

const catalogue = createFullCatalogue();
const flows = [...coreFlows, ...otherFlows];

test('there are enough of them', () => expect(flows.length).toBeGreaterThanOrEqual(60));

test.each(flows)('[E112] %s is accepted', (_, body) => {
  const { issues } = parseFlow(`id: a_flow\nnamespace: company.team\n${body}\n`, catalogue);
  const errors = issues.filter(({ severity }) => severity === 'error');
  expect(errors.map(({ path, message }) => `${path}: ${message}`)).toEqual([]);
});

test.each([
  ['no YAML', 'tasks: [', 'yaml'],
  ['no tasks', 'description: x', 'tasks'],
  ['an unknown type', 'tasks:\n  - { id: a, type: core.log.Lug, message: x }', 'tasks[0].type'],
  ['a missing property', 'tasks:\n  - { id: a, type: core.log.Log }', 'tasks[0].message'],
  [
    'an unknown property',
    'tasks:\n  - { id: a, type: core.log.Log, message: x, mesage: y }',
    'tasks[0].mesage',
  ],
  [
    'tasks by expression',
    'tasks:\n  - { id: a, type: core.flow.Sequential, tasks: "{{ x }}" }',
    'tasks[0].tasks',
  ],
  [
    'a task runner without a type',
    'tasks:\n  - { id: a, type: scripts.shell.Script, script: x, taskRunner: {} }',
    'tasks[0].taskRunner.type',
  ],
  [
    'a static property by expression',
    'tasks:\n  - { id: a, type: core.log.Log, message: x, disabled: "{{ x }}" }',
    'tasks[0].disabled',
  ],
])('[E112] %s is an error', (_, body, path) => {
  const { issues } = parseFlow(`id: a_flow\nnamespace: company.team\n${body}\n`, catalogue);
  expect(issues.filter(({ severity }) => severity === 'error').map((issue) => issue.path)).toContain(path);
});

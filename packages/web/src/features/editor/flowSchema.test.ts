import { expect, test } from 'vitest';
import { flowSchema } from '../../testing/flowSchema.ts';
import { addTypes, type JsonSchema, typesIn, withoutOldNames } from './useFlowSchema.ts';

const whole: JsonSchema = flowSchema();

test.each([
  ['a list item', '  - id: a\n    type: core.log.Log', ['core.log.Log']],
  ['the first property', '  - type: core.log.Log', ['core.log.Log']],
  ['braces and quotes', 'tasks: [{ id: a, type: "core.log.Log" }]', ['core.log.Log']],
  ['the long name', 'type: io.kestra.plugin.core.log.Log', ['io.kestra.plugin.core.log.Log']],
  ['a name of old', 'type: io.kestra.core.tasks.log.Log', ['io.kestra.core.tasks.log.Log']],
  ['an older short name', 'type: core.flow.WaitFor', ['core.flow.WaitFor']],
  ['a name that is half typed', 'type: core.log.Lo', []],
  ['a type of input', 'inputs: [{ id: a, type: STRING }]', []],
  ['twice the same', '- type: core.log.Log\n- type: core.log.Log', ['core.log.Log']],
])('reads the types of a text: %s', (_, source, types) => {
  expect(typesIn(source, whole)).toEqual(types);
});

test('adds a type once, behind a branch of its place', () => {
  const outline = { definitions: { Task: { properties: {}, allOf: [] }, Flow: {} } };
  const type = {
    type: 'a.B',
    names: ['a.B'],
    place: 'Task',
    branch: { if: {} },
    schema: { title: 'B' },
    shape: {},
  };
  expect(addTypes(outline, [type, null, type])).toEqual({
    definitions: { Task: { properties: {}, allOf: [{ if: {} }] }, Flow: {}, 'a.B': { title: 'B' } },
  });
  expect(outline.definitions.Task.allOf).toEqual([]);
});

test('A-1.28 older names of a type are accepted and not offered', () => {
  const branch = (type: object) => ({
    if: { required: ['type'], properties: { type } },
    then: { $ref: '#/definitions/a.B' },
  });
  const schema = {
    definitions: {
      Task: { properties: {}, allOf: [branch({ enum: ['a.B', 'io.a.B'] })] },
      'a.B': { title: 'B' },
    },
  };
  expect(withoutOldNames(schema)).toEqual({
    definitions: {
      Task: { properties: {}, allOf: [branch({ pattern: '^(a\\.B|io\\.a\\.B)$' })] },
      'a.B': { title: 'B' },
    },
  });
});

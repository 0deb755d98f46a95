import { expect, it } from 'vitest';
import { examplesOf, propertyRows } from './PluginDocumentView.tsx';

const schema = {
  required: ['message'],
  properties: {
    level: { type: 'string', enum: ['INFO', 'WARN'], default: 'INFO', description: 'How loud' },
    message: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }], $dynamic: true },
    runner: { $ref: '#/definitions/core.runner.Process' },
    old: { type: 'integer', $deprecated: true },
  },
  $examples: [{ title: 'Say it', code: 'id: x' }, { odd: true }],
};

it('lists properties with their type, choices and defaults: required first, deprecated last', () => {
  const rows = propertyRows(schema);
  expect(rows.map(({ name, type }) => [name, type])).toEqual([
    ['message', 'string or array of string'],
    ['level', 'string'],
    ['runner', 'core.runner.Process'],
    ['old', 'integer'],
  ]);
  expect(rows[0]).toMatchObject({ isRequired: true, isDynamic: true });
  expect(rows[1]).toMatchObject({ text: 'How loud', facts: ['default: "INFO"', 'one of INFO, WARN'] });
  expect(rows[2]?.definition).toBe('core.runner.Process');
});

it('reads examples and passes over what is none', () => {
  expect(examplesOf(schema)).toEqual([{ title: 'Say it', code: 'id: x', language: 'yaml' }]);
});

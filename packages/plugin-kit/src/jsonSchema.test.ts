import { expect, test } from 'vitest';
import { toEditorSchema } from './jsonSchema.ts';

test('a property called description stays a property', () => {
  const schema = toEditorSchema({
    type: 'object',
    description: 'A thing.',
    properties: { description: { type: 'string', description: 'What it is.' } },
  });
  expect(schema).toEqual({
    type: 'object',
    markdownDescription: 'A thing.',
    properties: { description: { type: 'string', markdownDescription: 'What it is.' } },
  });
});

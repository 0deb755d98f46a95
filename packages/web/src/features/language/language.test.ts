import { expect, it } from 'vitest';
import { language } from './languageClient.ts';

const flow = (message: string) => `id: f
namespace: n
inputs: [{ id: day, type: DATE }]
tasks:
  - id: say
    type: core.log.Log
    message: "${message}"
`;
const shape = { outputs: { type: 'object', properties: {} } };

it('A-1.1 answers with the context that it was given last', async () => {
  const text = flow('{{ inputs.dya }} {{ dya }}');
  await language.setContext({
    types: [{ type: 'core.log.Log', names: ['core.log.Log'], required: ['message'], shape }],
  });
  expect((await language.check(text)).map(({ message }) => message)).toEqual([
    'Input "dya" does not exist; did you mean "day"?',
    'Variable "dya" does not exist',
  ]);
  const renamed = await language.rename(flow('{{ inputs.day }}'), flow('').indexOf('day'), 'date');
  expect(renamed).toMatchObject({ edits: [{ text: 'date' }, { text: 'date' }] });
});

it('completes with the flow as it could be read last', async () => {
  const readable = flow('x');
  expect(await language.complete(readable, 0)).toEqual([]);
  const broken = readable.replace('"x"', '"{{ inputs.').replace('tasks:', 'tasks: [');
  const labels = (await language.complete(broken, broken.length - 1)).map(({ label }) => label);
  expect(labels).toEqual(['day']);
});

it('A-1.29 offers the properties that are still needed first', async () => {
  const text = 'id: f\nnamespace: n\ntasks:\n  - id: say\n    type: core.log.Log\n    \n';
  expect(await language.required(text, text.length - 1)).toEqual(['message']);
});

it('completes a template of a form at its place in the flow', async () => {
  const found = await language.completeTemplate(flow('x'), 'tasks[0]', '{{ inputs.d');
  expect(found.map(({ insert }) => insert)).toEqual(['day']);
});

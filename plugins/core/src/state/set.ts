import { anything, defineTask, mapOf } from '@millrace/plugin-kit';
import { z } from 'zod';
import { readState, type StateData, stateKey, stateProperties } from './stateKey.ts';

export const stateSet = defineTask({
  type: 'core.state.Set',
  title: 'Set a state',
  description:
    'Merges the data into the state: maps are merged, lists are appended, other values are replaced.',
  aliases: ['io.kestra.core.tasks.states.Set'],
  input: () =>
    z.object({
      ...stateProperties,
      data: mapOf(anything()).default({}).describe('What to merge into the state.'),
    }),
  output: () =>
    z.object({
      count: z.number().describe('How many entries the state has now.'),
      key: z.string().describe('Where it is kept.'),
    }),
  sideEffects: true,
  examples: [
    {
      title: 'Leave something for the next execution.',
      runs: true,
      code: `id: set_state
namespace: company.team

tasks:
  - id: state
    type: core.state.Set
    name: progress
    data:
      last: "{{ execution.id }}"
`,
    },
  ],
  async run(context, input) {
    const key = stateKey(context, input);
    const merged = merge((await readState(context, key)) ?? {}, input.data);
    await context.kv.set(key, merged, { namespace: context.run.namespace, overwrite: true, type: 'JSON' });
    return { key, count: Object.keys(merged).length };
  },
});

const isMap = (value: unknown): value is StateData =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function merge(old: StateData, data: StateData): StateData {
  const merged: Record<string, unknown> = { ...old };
  for (const [name, value] of Object.entries(data)) {
    const before = merged[name];
    if (isMap(before) && isMap(value)) merged[name] = merge(before, value);
    else merged[name] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
  }
  return merged;
}

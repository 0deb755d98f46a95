import { defineTask, flag, TaskFailed } from '@millrace/plugin-kit';
import { z } from 'zod';
import { readState, stateKey, stateProperties } from './stateKey.ts';

export const stateGet = defineTask({
  type: 'core.state.Get',
  title: 'Get a state',
  description: 'A state is a map that outlasts executions, kept for a flow or a namespace.',
  aliases: ['io.kestra.core.tasks.states.Get'],
  input: () =>
    z.object({
      ...stateProperties,
      errorOnMissing: flag().default(false).describe('Fail when there is no such state.'),
    }),
  output: () =>
    z.object({
      count: z.number().describe('How many entries the state has.'),
      data: z.record(z.string(), z.unknown()).describe('The state.'),
      key: z.string().describe('Where it is kept.'),
    }),
  sideEffects: true,
  examples: [
    {
      title: 'Read what the last execution has left.',
      runs: true,
      code: `id: get_state
namespace: company.team

tasks:
  - id: state
    type: core.state.Get
    name: progress

  - id: show
    type: core.log.Log
    message: "{{ outputs.state.data }}"
`,
    },
  ],
  async run(context, input) {
    const key = stateKey(context, input);
    const data = await readState(context, key);
    if (!data && input.errorOnMissing) throw new TaskFailed(`There is no state "${input.name}".`);
    return { key, data: { ...data }, count: Object.keys(data ?? {}).length };
  },
});

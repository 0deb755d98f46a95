import { setTimeout as wait } from 'node:timers/promises';

/** A realtime trigger: runs as long as the flow has it, and emits every event as it comes. */
export const countdown = ({ defineTrigger, z, integer, duration }) =>
  defineTrigger({
    type: 'acme.Countdown',
    role: 'realtime',
    title: 'Count down',
    description: 'Starts an execution for every number down to 1.',
    input: z.object({
      from: integer({ min: 1 }).describe('Where to begin.'),
      every: duration().prefault('PT1S').describe('The pause between two numbers.'),
    }),
    output: z.object({ number: z.number().describe('The number.') }),
    examples: [
      {
        title: 'Three, two, one.',
        runs: false,
        code: `id: three_two_one
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "{{ trigger.number }}"

triggers:
  - id: count
    type: acme.Countdown
    from: 3
`,
      },
    ],
    async listen(context, { from, every }, emit) {
      for (let number = from; number > 0; number--) {
        // Resolves when the execution is on disk. The key names the event: a second one with it starts nothing, so
        // that a source which repeats itself after a restart does no harm.
        await emit({ number }, { key: `number-${number}` });
        await wait(every, undefined, { signal: context.signal });
      }
    },
  });

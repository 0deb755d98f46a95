import { setTimeout as wait } from 'node:timers/promises';
import { formatDuration } from '@millrace/engine';
import { defineTask, duration, lineIcon } from '@millrace/plugin-kit';
import { z } from 'zod';

export const sleep = defineTask({
  type: 'core.flow.Sleep',
  title: 'Wait for a while',
  description: 'The task occupies a worker while it waits; for long pauses use `core.flow.Pause`.',
  icon: lineIcon('M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18', 'M12 7v5l3 2'),
  input: () => z.object({ duration: duration().describe('How long to wait, for example `PT5S`.') }),
  output: () => z.object({}),
  sideEffects: false,
  examples: [
    {
      title: 'Wait a moment between two tasks.',
      runs: true,
      code: `id: slow
namespace: company.team

tasks:
  - id: before
    type: core.log.Log
    message: Going to sleep

  - id: sleep
    type: core.flow.Sleep
    duration: PT0.1S

  - id: after
    type: core.log.Log
    message: Awake again
`,
    },
  ],
  async run(context, input) {
    await context.log('INFO', `Waiting for ${formatDuration(input.duration)}.`);
    // One timer holds at most 2^31 ms, a little under 25 days.
    const longest = 2_147_483_647;
    for (let left = input.duration; left > 0; left -= longest) {
      await wait(Math.min(left, longest), undefined, { signal: context.signal });
    }
    return {};
  },
});

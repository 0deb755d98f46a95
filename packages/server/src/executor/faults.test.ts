import { defineTask } from '@millrace/plugin-kit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { aFlow } from '../testing/aFlow.ts';
import { startTestServer, stateOf } from '../testing/aServer.ts';
import { databases } from '../testing/databases.ts';

const worker = defineTask({
  type: 'test.Faults',
  title: 'For tests',
  description: 'For tests',
  examples: [],
  input: z.object({ failsAt: z.coerce.number().optional() }),
  output: z.object({}),
  sideEffects: true,
  run: async (context, { failsAt }) => {
    for (let line = 0; line < 20; line++) await context.log('INFO', `line ${line}`);
    context.metric({ type: 'counter', name: 'lines', value: 20 });
    if (context.run.attempt === failsAt) throw new Error('The first attempt fails.');
    return {};
  },
});

const child = aFlow('child', 'tasks:\n  - { id: work, type: test.Faults }\n');
const parent = aFlow(
  'parent',
  `tasks:
  - id: each
    type: core.flow.ForEach
    values: [1, 2, 3]
    concurrencyLimit: 2
    tasks:
      - { id: item, type: test.Faults }
      - { id: said, type: core.log.Log, message: "{{ taskrun.value }}" }
  - id: together
    type: core.flow.Parallel
    tasks:
      - { id: call, type: core.flow.Subflow, namespace: company.team, flowId: child }
      - { id: pause, type: core.flow.Pause, pauseDuration: PT0.05S }
      - id: unsure
        type: test.Faults
        failsAt: 0
        retry: { type: constant, interval: PT0.01S, maxAttempts: 3 }
`,
);
const limited = aFlow('limited', 'concurrency: { limit: 1 }\ntasks:\n  - { id: work, type: test.Faults }\n');

/** The whole of it, over every suite of the loops, is `npm run faults`. */
describe.each(databases)('commits that fail, are late or lose their answer on $name', (database) => {
  it.each([1, 2, 3])(
    'lose and double nothing, and every execution ends (seed %i)',
    async (seed) => {
      const { server, remove, problems, faults } = await startTestServer(database, {
        faults: seed,
        definitions: [worker],
      });
      let isRemoved = false;
      onTestFinished(() => (isRemoved ? undefined : remove()));
      for (const source of [child, parent, limited]) await server.saveFlow(source);
      const started = [];
      for (const flow of ['parent', 'limited', 'parent', 'limited', 'parent'])
        started.push(await server.start(flow));
      for (const { id } of started) {
        const execution = await server.waitForState(id, 'SUCCESS', 'FAILED', 'KILLED', 'WARNING');
        expect(stateOf(execution)).toBe('SUCCESS');
      }
      isRemoved = true;
      await remove();
      expect(problems).toEqual([]);
      const { fail = 0, loseAnswer = 0 } = faults() ?? {};
      expect(fail + loseAnswer).toBeGreaterThan(0);
    },
    120_000,
  );
});

/** A task: properties in, outputs out. */
export const greet = ({ defineTask, TaskFailed, z, text, integer }) =>
  defineTask({
    type: 'acme.Greet',
    title: 'Greet somebody',
    description: 'Logs a greeting and returns it.',
    input: z.object({
      name: text().describe('Whom to greet.'),
      times: integer({ min: 1, max: 10 }).default(1).describe('How often.'),
    }),
    output: z.object({ greeting: z.string().describe('What was said.') }),
    metrics: [{ name: 'greetings', type: 'counter', description: 'How many greetings were logged.' }],
    sideEffects: false,
    examples: [
      {
        title: 'Greet the world.',
        runs: true,
        code: `id: greet_the_world
namespace: company.team

tasks:
  - id: greet
    type: acme.Greet
    name: world
`,
      },
    ],
    async run(context, { name, times }) {
      // `retry: false` says that trying again cannot help.
      if (name === '') throw new TaskFailed('There is nobody to greet.', { retry: false });
      const greeting = `Hello ${name}!`;
      for (let count = 0; count < times; count++) await context.log('INFO', greeting);
      context.metric({ name: 'greetings', type: 'counter', value: times });
      return { greeting };
    },
  });

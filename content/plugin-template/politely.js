/** A task runner: where and how the processes of script tasks run. */
export const politely = ({ defineRunner, z, integer }) =>
  defineRunner({
    type: 'acme.Politely',
    title: 'With low priority',
    description: 'Runs the process on this machine with `nice`, so that others go first.',
    input: z.object({
      niceness: integer({ min: 0, max: 19 }).default(10).describe('How polite it is.'),
    }),
    examples: [
      {
        title: 'Work that can wait.',
        runs: true,
        code: `id: no_hurry
namespace: company.team

tasks:
  - id: work
    type: scripts.shell.Commands
    taskRunner:
      type: acme.Politely
      niceness: 15
    commands:
      - echo done
`,
      },
    ],
    // `job` has the command, the working directory, the environment and where its output goes.
    run: (context, { niceness }, job) =>
      context.spawn({ ...job, command: ['nice', '-n', String(niceness), ...job.command], signal: context.signal }),
  });

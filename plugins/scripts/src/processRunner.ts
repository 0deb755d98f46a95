import { defineRunner } from '@millrace/plugin-kit';
import { z } from 'zod';

export const processRunner = defineRunner({
  type: 'core.runner.Process',
  title: 'Run as a process on the worker',
  description: `Starts the script directly on the machine of the worker, with a clean environment: \`PATH\`, \`HOME\`, \`LANG\`
and what \`env\` says, never the variables of the server. Programs the script calls must be installed there.

Killing the task ends the process and everything it has started.`,
  aliases: ['io.kestra.core.models.tasks.runners.Process', 'io.kestra.plugin.scripts.runner.Process'],
  input: () => z.object({}),
  examples: [
    {
      title: 'Run a command on the worker itself.',
      runs: true,
      code: `id: on_the_worker
namespace: company.team

tasks:
  - id: hello
    type: scripts.shell.Commands
    taskRunner:
      type: core.runner.Process
    commands:
      - echo "Hello from $(uname)"
`,
    },
  ],
  run: (context, _, job) => context.spawn({ ...job, signal: context.signal }),
});

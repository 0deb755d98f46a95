import { readdir } from 'node:fs/promises';
import { executions, flows } from '@millrace/contract';
import { inputForm } from '../client/inputForm.ts';
import { withOwnServer } from '../client/ownServer.ts';
import { isTestFile, readFlowSources } from '../client/sourceFiles.ts';
import { watchExecution } from '../client/watchExecution.ts';
import { CommandFailure, defineCommand, UsageError } from '../command.ts';

export const flowTest = defineCommand({
  name: 'flow test',
  summary: 'Run the tests of a folder, or one flow in a temporary server',
  usage: 'PATH…',
  positionals: { min: 1, max: 1_000 },
  options: {
    input: {
      type: 'string',
      short: 'i',
      multiple: true,
      value: 'NAME=VALUE',
      help: 'an input of the flow, or NAME=@FILE; may be repeated',
    },
    junit: { type: 'string', value: 'FILE', help: 'write the results of tests as JUnit XML' },
  },
  details: `With a folder or with files named *.test.yaml, the test suites in them run in virtual time on the flows beside
them: no task runs, nothing outside is touched, and the command fails when an assertion does.
With files of flows, the first flow is run; further ones are there for it to call. Nothing is kept.`,
  run: async ({ values, positionals }, surroundings) => {
    if (values.junit !== undefined || (await areTests(positionals))) {
      if (values.input)
        throw new UsageError('"--input" is for running a flow; tests have their inputs inside.');
      const { runTestFiles } = await import('./testFiles.ts');
      return runTestFiles(positionals, values.junit, surroundings);
    }
    const sources = await readFlowSources(positionals);
    const form = await inputForm(values.input);
    return withOwnServer(surroundings, async (client) => {
      const saved = [];
      for (const { text } of sources) saved.push(await client.call(flows.createFlow, { body: text }));
      const [first] = saved;
      if (!first) throw new CommandFailure('There is no flow to test.');
      const execution = await client.call(executions.triggerExecutionByAlias, {
        params: { namespace: first.namespace, id: first.id },
        ...(form ? { body: form } : {}),
      });
      return (await watchExecution(client, execution.id, surroundings)).code;
    });
  },
});

/** Whether a path is a file of tests, or a folder that holds one. */
async function areTests(paths: readonly string[]): Promise<boolean> {
  for (const path of paths) {
    if (isTestFile(path)) return true;
    // Not a folder: it is read as a flow, which reports what is wrong with it.
    const names = path === '-' ? [] : await readdir(path, { recursive: true }).catch(() => []);
    if (names.some(isTestFile)) return true;
  }
  return false;
}

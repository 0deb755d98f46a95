import { executions, flows } from '@millrace/contract';
import { inputForm } from '../client/inputForm.ts';
import { withOwnServer } from '../client/ownServer.ts';
import { readFlowSources } from '../client/sourceFiles.ts';
import { watchExecution } from '../client/watchExecution.ts';
import { CommandFailure, defineCommand } from '../command.ts';

export const flowTest = defineCommand({
  name: 'flow test',
  summary: 'Run a flow once in a server of its own that is gone afterwards; fails when the execution does',
  usage: 'PATH…',
  positionals: { min: 1, max: 1_000 },
  options: {
    input: {
      type: 'string',
      short: 'i',
      multiple: true,
      value: 'NAME=VALUE',
      help: 'an input, or NAME=@FILE; may be repeated',
    },
  },
  details: 'The first flow is run; further ones are there for it to call. Nothing is kept.',
  run: async ({ values, positionals }, surroundings) => {
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

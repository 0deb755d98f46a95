import { flowTransfer } from '@millrace/contract';
import { readTestSuite } from '@millrace/engine/flow-test';
import { clientOptions, connect, isJson } from '../client/options.ts';
import { printJson } from '../client/print.ts';
import { type FlowSource, readFlowsAndTests } from '../client/sourceFiles.ts';
import { CommandFailure, defineCommand, exitCodes } from '../command.ts';
import { keepUnknownTypesOption, linesOf, type Saved, saveTestSuite } from './flowSave.ts';

export const flowNamespaceUpdate = defineCommand({
  name: 'flow namespace update',
  summary: 'Make the flows of a folder those of a namespace, all or none, and save their tests',
  usage: 'NAMESPACE DIR',
  positionals: { min: 2, max: 2 },
  options: {
    'no-delete': { type: 'boolean', help: 'keep flows of the namespace that the folder does not have' },
    ...keepUnknownTypesOption,
    ...clientOptions,
  },
  run: async ({ values, positionals: [namespace = '', folder = ''] }, surroundings) => {
    const client = connect(values, surroundings);
    const { flows: sources, tests } = await readFlowsAndTests([folder]);
    if (sources.length === 0) throw new CommandFailure(`The folder "${folder}" holds no flow.`);
    // Before anything is saved: the flows are all or none, and their suites belong to them.
    for (const test of tests) refuseForeign(test, namespace);
    const saved = await client.call(flowTransfer.replaceFlows, {
      params: { namespace },
      query: {
        delete: values['no-delete'] !== true,
        keepUnknownTypes: values['keep-unknown-types'] === true,
      },
      body: sources.map(({ text }) => text).join('\n---\n'),
    });
    const suites: Saved[] = [];
    for (const test of tests) suites.push(await saveTestSuite(client, test, { keepUnknownTypes: false }));
    if (isJson(values, surroundings)) printJson(surroundings.out, [...saved, ...suites]);
    else {
      for (const { id, revision, deleted } of saved) {
        surroundings.out.write(
          `${deleted ? 'deleted' : 'saved  '}  ${namespace}.${id} revision ${revision}\n`,
        );
      }
      for (const suite of suites) surroundings.out.write(linesOf(suite));
    }
    return exitCodes.done;
  },
});

function refuseForeign({ origin, text }: FlowSource, namespace: string): void {
  const { suite, issues } = readTestSuite(text);
  if (!suite) throw new CommandFailure(`${origin} is not a valid test suite: ${issues[0]?.message ?? ''}`);
  if (suite.namespace !== namespace)
    throw new CommandFailure(
      `${origin}: the test suite "${suite.id}" belongs to the namespace "${suite.namespace}", not "${namespace}".`,
    );
}

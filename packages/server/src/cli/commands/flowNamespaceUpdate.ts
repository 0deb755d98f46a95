import { flowTransfer } from '@millrace/contract';
import { clientOptions, connect, isJson } from '../client/options.ts';
import { printJson } from '../client/print.ts';
import { readFlowSources } from '../client/sourceFiles.ts';
import { defineCommand, exitCodes } from '../command.ts';
import { keepUnknownTypesOption } from './flowSave.ts';

export const flowNamespaceUpdate = defineCommand({
  name: 'flow namespace update',
  summary: 'Make the flows of a folder those of a namespace, all or none',
  usage: 'NAMESPACE DIR',
  positionals: { min: 2, max: 2 },
  options: {
    'no-delete': { type: 'boolean', help: 'keep flows of the namespace that the folder does not have' },
    ...keepUnknownTypesOption,
    ...clientOptions,
  },
  run: async ({ values, positionals: [namespace = '', folder = ''] }, surroundings) => {
    const client = connect(values, surroundings);
    const sources = await readFlowSources([folder]);
    const saved = await client.call(flowTransfer.replaceFlows, {
      params: { namespace },
      query: {
        delete: values['no-delete'] !== true,
        keepUnknownTypes: values['keep-unknown-types'] === true,
      },
      body: sources.map(({ text }) => text).join('\n---\n'),
    });
    if (isJson(values, surroundings)) printJson(surroundings.out, saved);
    else {
      for (const { id, revision, deleted } of saved) {
        surroundings.out.write(
          `${deleted ? 'deleted' : 'saved  '}  ${namespace}.${id} revision ${revision}\n`,
        );
      }
    }
    return exitCodes.done;
  },
});

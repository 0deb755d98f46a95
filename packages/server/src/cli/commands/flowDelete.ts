import { flows } from '@millrace/contract';
import { clientOptions, connect } from '../client/options.ts';
import { tell } from '../client/tell.ts';
import { defineCommand, exitCodes } from '../command.ts';

export const flowDelete = defineCommand({
  name: 'flow delete',
  summary: 'Delete a flow; its revisions and executions stay',
  usage: 'NAMESPACE ID',
  positionals: { min: 2, max: 2 },
  options: clientOptions,
  run: async ({ values, positionals: [namespace = '', id = ''] }, surroundings) => {
    await connect(values, surroundings).call(flows.deleteFlow, { params: { namespace, id } });
    tell(values, surroundings, `deleted  ${namespace}.${id}`, { deleted: { namespace, id } });
    return exitCodes.done;
  },
});

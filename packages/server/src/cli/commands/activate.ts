import { quietStart } from '@millrace/contract';
import { clientOptions, connect } from '../client/options.ts';
import { tell } from '../client/tell.ts';
import { defineCommand, exitCodes } from '../command.ts';

export const activate = defineCommand({
  name: 'activate',
  summary: 'End the quiet start of a server: schedules, triggers and open executions continue',
  options: clientOptions,
  run: async ({ values }, surroundings) => {
    const client = connect(values, surroundings);
    const { isQuiet } = await client.call(quietStart.getQuietStart, {});
    const ended = isQuiet ? await client.call(quietStart.endQuietStart, {}) : { isQuiet };
    const line = isQuiet
      ? 'Schedules, triggers and open executions continue.'
      : 'The server is active already.';
    tell(values, surroundings, line, ended);
    return exitCodes.done;
  },
});

import { resolve } from 'node:path';
import { printJson } from '../client/print.ts';
import { followFiles } from '../client/progress.ts';
import { defineCommand, exitCodes } from '../command.ts';
import { dataOptions, outputOption, readDataSettings } from '../dataSettings.ts';

export const restore = defineCommand({
  name: 'restore',
  summary: 'Make a data folder from a backup',
  usage: 'BACKUP',
  positionals: { min: 1, max: 1 },
  options: {
    ...dataOptions,
    ...outputOption,
    force: { type: 'boolean', help: 'put what is in the data folder aside, instead of refusing' },
  },
  run: async ({ values, positionals: [from = ''] }, surroundings) => {
    const { env, out } = surroundings;
    const { restore } = await import('../../maintenance/restore.ts');
    const { data } = readDataSettings(values, env);
    const progress = followFiles(surroundings);
    const { manifest, replaced } = await restore({
      backup: from,
      data,
      force: values.force === true,
      now: Date.now(),
      onFile: progress.onFile,
    });
    progress.end();
    if (values.output === 'json') {
      printJson(out, { data, replaced, ...manifest });
      return exitCodes.done;
    }
    out.write(
      `${data}: ${manifest.executions} executions and ${manifest.files} files of ${manifest.createdAt} are back.\n`,
    );
    if (replaced !== undefined) out.write(`What was there before is in ${replaced}.\n`);
    out.write(
      'Executions that were open resume, and schedules continue, when a server starts on this data. To look at it first:\n' +
        `  millrace server --data "${resolve(data)}" --quiet-start\n` +
        'Then let it continue with:\n  millrace activate\n',
    );
    return exitCodes.done;
  },
});

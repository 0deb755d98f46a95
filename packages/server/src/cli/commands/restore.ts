import { defineCommand, exitCodes } from '../command.ts';
import { dataOptions, readDataSettings } from '../dataSettings.ts';

export const restore = defineCommand({
  name: 'restore',
  summary: 'Make a data folder from a backup',
  usage: 'BACKUP',
  positionals: { min: 1, max: 1 },
  options: {
    ...dataOptions,
    force: { type: 'boolean', help: 'put what is in the data folder aside, instead of refusing' },
  },
  run: async ({ values, positionals: [from = ''] }, { env, out }) => {
    const { restore } = await import('../../maintenance/restore.ts');
    const { data } = readDataSettings(values, env);
    const { manifest, replaced } = await restore({
      backup: from,
      data,
      force: values.force === true,
      now: Date.now(),
    });
    out.write(
      `${data}: ${manifest.executions} executions and ${manifest.files} files of ${manifest.createdAt} are back.\n`,
    );
    if (replaced !== undefined) out.write(`What was there before is in ${replaced}.\n`);
    return exitCodes.done;
  },
});

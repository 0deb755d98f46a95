import { join } from 'node:path';
import { printJson } from '../client/print.ts';
import { followFiles } from '../client/progress.ts';
import { defineCommand, exitCodes } from '../command.ts';
import { dataOptions, outputOption, readDataSettings } from '../dataSettings.ts';

export const backup = defineCommand({
  name: 'backup',
  summary: 'Copy the data folder into a new folder, while the server may be running',
  usage: '[FOLDER]',
  positionals: { min: 0, max: 1 },
  options: { ...dataOptions, ...outputOption },
  details:
    'The copy holds the database as it was at one moment and all files, and is read back before it gets its name.\n' +
    'Without FOLDER it is made in the current folder. With PostgreSQL, use pg_dump for the database.',
  run: async ({ values, positionals: [target] }, surroundings) => {
    const { env, out } = surroundings;
    const { backUp } = await import('../../maintenance/backup.ts');
    const { withRepairHint } = await import('../../maintenance/damagedDatabase.ts');
    const { checkWriteAheadLog } = await import('../../maintenance/checks/writeAheadLog.ts');
    const config = readDataSettings(values, env);
    const now = Date.now();
    const folder =
      target ?? join('.', `millrace-backup-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`);
    for (const { status, message } of await checkWriteAheadLog({ config, now }))
      if (status !== 'ok') surroundings.err.write(`${message}\n`);
    const progress = followFiles(surroundings);
    const manifest = await backUp({ config, target: folder, now, onFile: progress.onFile }).catch(
      async (error: unknown) => {
        throw await withRepairHint(error, config);
      },
    );
    progress.end();
    if (values.output === 'json') printJson(out, { folder, ...manifest });
    else
      out.write(
        `${folder}: ${manifest.executions} executions, ${manifest.files} files (${manifest.fileBytes} bytes), schema ${manifest.schema}.\n`,
      );
    return exitCodes.done;
  },
});

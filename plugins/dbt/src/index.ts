import type { Family } from '@millrace/plugin-kit';
import { lineIcon } from '@millrace/plugin-kit';
import { checkStatus, triggerRun } from './cloud.ts';
import { dbtCli } from './dbtCli.ts';
import { legacyCommands } from './legacyCommands.ts';

const cross = ['M5 5l5 5', 'M19 5l-5 5', 'M5 19l5-5', 'M19 19l-5-5'];
const group = (name: string, title: string, description: string, ...paths: string[]) => ({
  group: name,
  title,
  description,
  icon: lineIcon(...cross, ...paths),
  categories: ['DATA'],
});

/** dbt on the worker, in containers and in dbt Cloud. */
export const dbtFamily: Family = {
  name: 'dbt',
  groups: [
    group('dbt', 'dbt', 'Transform data with dbt.'),
    group('dbt.cli', 'dbt CLI', 'Run dbt commands and see every model.', 'M9 21h6'),
    group('dbt.cloud', 'dbt Cloud', 'Run jobs of dbt Cloud.', 'M9 3h6'),
  ],
  types: [dbtCli, ...legacyCommands, triggerRun, checkStatus],
};

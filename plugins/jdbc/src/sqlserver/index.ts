import { TaskFailed } from '@millrace/plugin-kit';
import { defineDatabase } from '../base/defineDatabase.ts';
import type { Database } from '../base/session.ts';
import { atPlaceholder, openSqlServerSession, sqlServerSyntax } from './session.ts';
import { encryptionProperties, readSettings } from './settings.ts';

const sqlserver: Database = {
  name: 'sqlserver',
  title: 'SQL Server',
  schemes: ['jdbc:sqlserver:'],
  exampleUrl: 'jdbc:sqlserver://localhost:1433;databaseName=shop',
  notice:
    'Decimals with more than 15 digits are rounded by the driver; cast them to text to keep all digits.',
  syntax: sqlServerSyntax,
  placeholder: atPlaceholder,
  quoteName: (name) => `[${name.replaceAll(']', ']]')}]`,
  isPooled: false,
  properties: encryptionProperties,
  open: (context, input) => {
    const settings = readSettings(input);
    if (
      settings.instance !== undefined &&
      !/:\d+/.test(input.url.replace(/;.*$/s, '').replace(/^jdbc:sqlserver:/i, ''))
    )
      throw new TaskFailed(
        `The URL names the instance "${settings.instance}" without its port. Add the port, such as "//host\\\\instance:1433".`,
        { retry: false },
      );
    return openSqlServerSession(context, settings);
  },
};

export const sqlserverTypes = defineDatabase(sqlserver, { batch: 'Batch' });

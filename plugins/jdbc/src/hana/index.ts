import { defineDatabase } from '../base/defineDatabase.ts';
import type { Database } from '../base/session.ts';
import { openClient } from './client.ts';
import { HanaSession } from './session.ts';
import { readSettings } from './settings.ts';

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const hana: Database = {
  name: 'hana',
  title: 'SAP HANA',
  schemes: ['jdbc:sap:'],
  exampleUrl: 'jdbc:sap://localhost:30015/?databaseName=SHOP',
  notice:
    'The options `databaseName`, `currentSchema`, `encrypt`, `validateCertificate` and `hostNameInCertificate` of the URL are used.',
  syntax: {},
  placeholder: () => '?',
  quoteName: quoted,
  isPooled: false,
  open: async (context, input) => {
    const settings = readSettings(input);
    const session = new HanaSession(await openClient(context, settings));
    if (settings.schema !== undefined)
      try {
        await session.run({ sql: `SET SCHEMA ${quoted(settings.schema)}`, values: [], fetchSize: 1 });
      } catch (error) {
        await session.close();
        throw error;
      }
    return session;
  },
};

export const hanaTypes = defineDatabase(hana);

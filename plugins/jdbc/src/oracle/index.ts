import { importModule, withAbortableSockets } from '@millrace/plugin-kit';
import { defineDatabase } from '../base/defineDatabase.ts';
import type { Database } from '../base/session.ts';
import { checkZone, serverZone } from '../base/timeZone.ts';
import { readOracleUrl } from './connectString.ts';
import { checkHosts, type OracleDriver, OracleSession } from './session.ts';

const oracle: Database = {
  name: 'oracle',
  title: 'Oracle',
  schemes: ['jdbc:oracle:'],
  exampleUrl: 'jdbc:oracle:thin:@//localhost:1521/FREEPDB1',
  syntax: { plsql: true },
  placeholder: (position) => `:${position}`,
  quoteName: (name) => `"${name}"`,
  isPooled: false,
  open: async (context, input) => {
    const { connectString, hosts, user, password } = readOracleUrl(input.url);
    await checkHosts(context, hosts);
    const { default: driver } = await importModule<{ readonly default: OracleDriver }>('oracledb');
    const connection = await withAbortableSockets(context, () =>
      driver.getConnection({
        connectString,
        user: input.username ?? user,
        password: input.password ?? password,
        connectTimeout: 20,
        transportConnectTimeout: 10,
      }),
    );
    const zone = input.timeZoneId === undefined ? serverZone() : checkZone(input.timeZoneId);
    return new OracleSession(driver, connection, zone);
  },
};

export const oracleTypes = defineDatabase(oracle, { batch: 'Batch' });

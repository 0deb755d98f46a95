import { expect, test } from 'vitest';
import { aDatabaseContext, runnerOf } from '../testing/databaseContext.ts';
import { unavailableTypes } from './unavailable.ts';

test.each([
  [
    'db2',
    'jdbc:db2://localhost:50000/sample',
    'Db2 cannot be reached from this server: the driver "ibm_db" needs',
  ],
  ['access', 'jdbc:ucanaccess:///x.accdb', 'Microsoft Access cannot be reached from this server'],
])('running %s says which driver is missing', async (name, url, message) => {
  const types = unavailableTypes.filter(({ type }) => type.startsWith(`jdbc.${name}.`));
  await expect(runnerOf(types)('Query', { url, sql: 'SELECT 1' }, aDatabaseContext())).rejects.toThrow(
    message,
  );
});

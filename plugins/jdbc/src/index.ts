import type { Family } from '@millrace/plugin-kit';
import { duckdbTypes } from './duckdb/index.ts';
import { jdbcGroups } from './groups.ts';
import { mariadbTypes, mysqlTypes } from './mysql/index.ts';
import { postgresqlTypes } from './postgresql/index.ts';
import { sqliteTypes } from './sqlite/index.ts';

/** Tasks and triggers of SQL databases. */
export const jdbcFamily: Family = {
  name: 'jdbc',
  groups: jdbcGroups,
  types: [...postgresqlTypes, ...duckdbTypes, ...mysqlTypes, ...mariadbTypes, ...sqliteTypes],
};

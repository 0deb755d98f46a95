import type { Family } from '@millrace/plugin-kit';
import { commandLineTypes } from './cli/commandLine.ts';
import { duckdbTypes } from './duckdb/index.ts';
import { jdbcGroups } from './groups.ts';
import { hanaTypes } from './hana/index.ts';
import { clickhouseTypes } from './http/clickhouse.ts';
import { druidTypes } from './http/druid.ts';
import { pinotTypes } from './http/pinot.ts';
import { trinoTypes } from './http/trino.ts';
import { mariadbTypes, mysqlTypes } from './mysql/index.ts';
import { oracleTypes } from './oracle/index.ts';
import { unavailableTypes } from './others/unavailable.ts';
import { postgresqlTypes } from './postgresql/index.ts';
import { redshiftTypes } from './postgresql/redshift.ts';
import { snowflakeTypes } from './snowflake/index.ts';
import { sqliteTypes } from './sqlite/index.ts';
import { fabricQuery } from './sqlserver/fabric.ts';
import { sqlserverTypes } from './sqlserver/index.ts';

/** Tasks and triggers of SQL databases. */
export const jdbcFamily: Family = {
  name: 'jdbc',
  groups: jdbcGroups,
  types: [
    ...postgresqlTypes,
    ...duckdbTypes,
    ...mysqlTypes,
    ...mariadbTypes,
    ...sqliteTypes,
    ...clickhouseTypes,
    ...snowflakeTypes,
    ...commandLineTypes,
    ...sqlserverTypes,
    fabricQuery,
    ...oracleTypes,
    ...hanaTypes,
    ...redshiftTypes,
    ...trinoTypes,
    ...druidTypes,
    ...pinotTypes,
    ...unavailableTypes,
  ],
};

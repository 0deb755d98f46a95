import type { Family } from '@millrace/plugin-kit';
import { lineIcon } from '@millrace/plugin-kit';
import { missingTypes } from './missing.ts';
import { mongodbTypes } from './mongodb.ts';
import { mysqlTypes } from './mysql.ts';
import { postgresTypes } from './postgres.ts';
import { sqlserverTypes } from './sqlserver.ts';

const icon = lineIcon(
  'M4 6c0-2 16-2 16 0s-16 2-16 0',
  'M4 6v12c0 2 8 2 8 2',
  'M20 6v5',
  'M14 17h7',
  'M18 14l3 3-3 3',
);

const group = (name: string, title: string) => ({
  group: name,
  title,
  description: 'Changes of rows, captured from the log of the database.',
  icon,
  categories: ['DATABASE'],
});

/** Changes of rows, captured from the logs of databases. */
export const debeziumFamily: Family = {
  name: 'debezium',
  groups: [
    group('debezium', 'Change data capture'),
    group('debezium.postgres', 'Changes of PostgreSQL'),
    group('debezium.mysql', 'Changes of MySQL and MariaDB'),
    group('debezium.mongodb', 'Changes of MongoDB'),
    group('debezium.sqlserver', 'Changes of SQL Server'),
    group('debezium.oracle', 'Changes of Oracle'),
    group('debezium.db2', 'Changes of Db2'),
  ],
  types: [...postgresTypes, ...mysqlTypes, ...mongodbTypes, ...sqlserverTypes, ...missingTypes],
};

import type { TaskDefinition } from '@millrace/plugin-kit';
import { defineTarget } from './define.ts';
import { batches, may, need, preset, recordHandling } from './properties.ts';
import { asJson, asUser } from './settings.ts';

const mapped = ({ streamMaps, streamMapConfig }: Readonly<Record<string, unknown>>) => ({
  stream_maps: asJson(streamMaps),
  stream_map_config: asJson(streamMapConfig),
});

export const databaseTargets: readonly TaskDefinition[] = [
  defineTarget({
    name: 'DatamillCoPostgres',
    of: 'PostgreSQL',
    command: 'target-postgres',
    packages: ['singer-target-postgres'],
    properties: () => ({
      host: need.text('The host name or IP address of the server.'),
      username: need.text('The user to log in as.'),
      password: may.text('The password of the user.'),
      dbName: may.text('The database to connect to.'),
      port: need.integer('The TCP port of the server.'),
      schema: preset.text('public', 'The schema that the tables are created in.'),
      sslMode: preset.text(
        'prefer',
        'The TLS mode of libpq, such as `disable`, `prefer`, `require` or `verify-full`.',
      ),
      invalidRecordsDetect: preset.flag(
        true,
        'Fails when more than `invalidRecordsThreshold` records do not match their schema.',
      ),
      invalidRecordsThreshold: preset.integer(
        0,
        'The number of invalid records that are skipped before the target fails.',
      ),
      loggingLevel: preset.text(
        'INFO',
        'The lowest level that the target logs: `DEBUG`, `INFO`, `WARNING`, `ERROR` or `CRITICAL`.',
      ),
      persistEmptyTables: preset.flag(false, 'Creates tables for streams that have no records.'),
      maxBatchRows: preset.integer(
        200000,
        'The maximum number of rows per batch; a full batch is loaded at once.',
      ),
      maxBufferSize: preset.integer(
        104857600,
        'The maximum number of bytes per batch that are held in memory.',
      ),
      batchDetectionThreshold: may.integer(
        'The number of records after which the target checks whether a batch is full.',
      ),
      addUpsertIndexes: preset.flag(
        true,
        'Creates indexes on the primary keys, which make updates of existing rows faster.',
      ),
      beforeRunSql: may.text('SQL statements that run before loading.'),
      afterRunSql: may.text('SQL statements that run after loading.'),
    }),
    settings: (input) => ({
      postgres_host: input.host,
      postgres_port: input.port,
      postgres_username: input.username,
      postgres_password: input.password,
      postgres_database: input.dbName,
      postgres_schema: input.schema,
      postgres_sslmode: input.sslMode,
      host: undefined,
      port: undefined,
      username: undefined,
      password: undefined,
      db_name: undefined,
      schema: undefined,
      ssl_mode: undefined,
    }),
    example: {
      host: 'db.example.com',
      username: 'robot',
      password: "{{ secret('PASSWORD') }}",
      dbName: 'shop',
      port: 5432,
    },
  }),
  defineTarget({
    name: 'Oracle',
    of: 'Oracle',
    command: 'target-oracle',
    packages: ['git+https://github.com/radbrt/target-oracle.git'],
    properties: () => ({
      host: need.text('The host name or IP address of the server.'),
      database: may.text('The service name of the database.'),
      port: need.integer('The TCP port of the server.'),
      username: need.text('The user to log in as.'),
      password: need.text('The password of the user.'),
      driverName: may.text('The SQLAlchemy driver; `oracle+cx_oracle` when absent.'),
      preferFloatOverNumeric: may.flag('Creates float columns for numbers instead of fixed-point columns.'),
      streamMaps: may.text(
        'A JSON object of stream maps, which rename, filter or compute fields before loading.',
      ),
      streamMapConfig: may.text('A JSON object of values that the expressions of `streamMaps` can read.'),
      flatteningEnabled: may.flag('Turns nested objects into separate columns.'),
      flatteningMaxDepth: may.integer(
        'How many levels of nested objects become columns, when `flatteningEnabled` is set.',
      ),
    }),
    settings: mapped,
    example: {
      host: 'db.example.com',
      database: 'ORCL',
      port: 1521,
      username: 'robot',
      password: "{{ secret('PASSWORD') }}",
    },
  }),
  defineTarget({
    name: 'PipelinewisePostgres',
    of: 'PostgreSQL',
    command: 'target-postgres',
    packages: ['pipelinewise-target-postgres'],
    properties: () => ({
      host: need.text('The host name or IP address of the server.'),
      username: need.text('The user to log in as.'),
      password: may.text('The password of the user.'),
      dbName: may.text('The database to connect to.'),
      port: need.integer('The TCP port of the server.'),
      ...batches(),
      maxParallelism: preset.integer(16, 'The upper limit for the number of threads.'),
      ...recordHandling(),
      defaultTargetSchema: may.text('The schema for streams that no schema mapping covers.'),
      defaultTargetSchemaSelectPermission: may.text(
        'The role, or a JSON list of roles, that may read new schemas and tables.',
      ),
    }),
    settings: (input) => ({
      ...asUser(input),
      dbname: input.dbName,
      db_name: undefined,
      default_target_schema_select_permission: asJson(input.defaultTargetSchemaSelectPermission),
    }),
    example: {
      host: 'db.example.com',
      username: 'robot',
      password: "{{ secret('PASSWORD') }}",
      dbName: 'shop',
      port: 5432,
    },
  }),
  defineTarget({
    name: 'SqlServer',
    of: 'SQL Server',
    command: 'target-mssql',
    packages: ['git+https://github.com/storebrand/target-mssql.git'],
    properties: () => ({
      host: need.text('The host name or IP address of the server.'),
      database: need.text('The database to connect to.'),
      port: need.integer('The TCP port of the server.'),
      username: need.text('The user to log in as.'),
      password: need.text('The password of the user.'),
      defaultTargetSchema: may.text('The schema for streams that no schema mapping covers.'),
      tablePrefix: may.text('The text before each table name.'),
      preferFloatOverNumeric: may.flag('Creates float columns for numbers instead of fixed-point columns.'),
      streamMaps: may.text(
        'A JSON object of stream maps, which rename, filter or compute fields before loading.',
      ),
      streamMapConfig: may.text('A JSON object of values that the expressions of `streamMaps` can read.'),
      flatteningEnabled: may.flag('Turns nested objects into separate columns.'),
      flatteningMaxDepth: may.integer(
        'How many levels of nested objects become columns, when `flatteningEnabled` is set.',
      ),
    }),
    settings: mapped,
    example: {
      host: 'db.example.com',
      database: 'shop',
      port: 1433,
      username: 'robot',
      password: "{{ secret('PASSWORD') }}",
    },
  }),
];

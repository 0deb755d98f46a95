import type { TaskDefinition } from '@millrace/plugin-kit';
import { defineTarget } from './define.ts';
import { batches, may, need, oneOfThese, preset, recordHandling } from './properties.ts';
import { asJson, asUser } from './settings.ts';

const tablesFile = 'tables.json';
const seconds = (ms: unknown) => (typeof ms === 'number' ? ms / 1000 : undefined);

export const warehouseTargets: readonly TaskDefinition[] = [
  defineTarget({
    name: 'AdswerveBigQuery',
    of: 'BigQuery',
    command: 'target-bigquery',
    packages: ['git+https://github.com/adswerve/target-bigquery.git'],
    properties: () => ({
      projectId: need.text('The Google Cloud project of the dataset.'),
      datasetId: need.text('The dataset to write to; created when missing.'),
      location: may.text('The location of the dataset, such as `EU`.'),
      validateRecords: preset.flag(
        false,
        'Validates each record against the schema of its stream before loading. Finds invalid records earlier, but takes more CPU time.',
      ),
      addMetadataColumns: preset.flag(
        false,
        'Adds two columns with the times at which a row was read and loaded.',
      ),
      replicationMethod: oneOfThese(
        ['append', 'truncate'],
        'append',
        '`append` adds rows to the tables; `truncate` replaces their content.',
      ),
      tablePrefix: may.text('The text before each table name.'),
      tableSuffix: may.text('The text after each table name.'),
      maxCache: preset.integer(50, 'How much the target collects before it loads, in megabytes.'),
      serviceAccount: may.text(
        'The JSON key of a Google service account. The default credentials of the environment are used when absent.',
      ),
      mergeStateMessages: preset.flag(
        false,
        'Merges all states that the tap writes. Otherwise the last one is kept.',
      ),
      tableConfigs: may.map('Settings by table, such as partition and cluster columns.'),
    }),
    settings: ({ tableConfigs }) => ({
      table_configs: undefined,
      ...(tableConfigs !== undefined && { table_config: tablesFile }),
    }),
    files: ({ tableConfigs }) =>
      tableConfigs === undefined ? {} : { [tablesFile]: JSON.stringify(tableConfigs) },
    example: {
      projectId: 'acme-shop',
      datasetId: 'sales',
      serviceAccount: "{{ secret('SERVICE_ACCOUNT') }}",
    },
  }),
  defineTarget({
    name: 'MeltanoSnowflake',
    of: 'Snowflake',
    command: 'target-snowflake',
    packages: ['meltanolabs-target-snowflake'],
    properties: () => ({
      account: need.text('The account identifier, such as `ab12345.eu-central-1`.'),
      database: need.text('The database to connect to.'),
      username: need.text('The user to log in as.'),
      password: may.text('The password of the user.'),
      warehouse: need.text('The virtual warehouse that runs the statements.'),
      schema: need.text('The schema of the session.'),
      role: may.text('The role of the session; the default role of the user when absent.'),
      addRecordMetadata: preset.flag(
        true,
        'Adds `_sdc_` columns with the times at which a row was read and loaded.',
      ),
      defaultTargetSchema: may.text('The schema that the tables are created in; `schema` when absent.'),
      flatteningEnabled: may.flag('Turns nested objects into separate columns.'),
      flatteningMaxDepth: may.integer(
        'How many levels of nested objects become columns, when `flatteningEnabled` is set.',
      ),
    }),
    settings: asUser,
    example: {
      account: 'ab12345.eu-central-1',
      database: 'shop',
      username: 'robot',
      password: "{{ secret('PASSWORD') }}",
      warehouse: 'loading',
      schema: 'sales',
    },
  }),
  defineTarget({
    name: 'PipelinewiseRedshift',
    of: 'Redshift',
    command: 'target-redshift',
    packages: ['pipelinewise-target-redshift'],
    properties: () => ({
      host: need.text('The host name or IP address of the server.'),
      username: need.text('The user to log in as.'),
      password: may.text('The password of the user.'),
      dbName: may.text('The database to connect to.'),
      port: need.integer('The TCP port of the server.'),
      s3Bucket: need.text('The S3 bucket that files are uploaded to before Redshift copies them.'),
      defaultTargetSchema: need.text('The schema for streams that no schema mapping covers.'),
      accessKeyId: may.text(
        'The AWS access key ID that uploads to S3. The credentials of the environment are used when absent.',
      ),
      secretAccessKey: may.text('The secret of the AWS access key.'),
      sessionToken: may.text('The session token of temporary AWS credentials.'),
      redshiftCopyRoleArn: may.text(
        'The ARN of the IAM role with which Redshift reads the files; the access key when absent.',
      ),
      s3Acl: may.text('The canned ACL of uploaded objects, such as `bucket-owner-full-control`.'),
      s3KeyPrefix: may.text('The prefix of the object keys in the bucket, such as `load/`.'),
      copyOptions: may.text('The options of the `COPY` statement, such as `EMPTYASNULL BLANKSASNULL`.'),
      ...batches(),
      maxParallelism: preset.integer(16, 'The upper limit for the number of threads.'),
      defaultTargetSchemaSelectPermissions: may.text(
        'The user or group, or a JSON object of them, that may read new schemas and tables.',
      ),
      schema_mapping: may.text(
        'A JSON object that maps schemas of the source to schemas of the target. Takes precedence over `defaultTargetSchema`.',
      ),
      disableTableCache: preset.flag(
        false,
        'Reads the table structures again for each batch instead of once at the start. Slower, but sees changes by others.',
      ),
      ...recordHandling(),
      skipUpdates: preset.flag(false, 'Only inserts new rows and ignores changes of existing ones.'),
      compression: oneOfThese(['gzip', 'bzip2'], 'bzip2', 'The compression of the uploaded files.'),
      slices: preset.integer(
        1,
        'The number of files per batch. Use the number of slices of the cluster to load in parallel.',
      ),
    }),
    settings: (input) => ({
      ...asUser(input),
      dbname: input.dbName,
      db_name: undefined,
      aws_access_key_id: input.accessKeyId,
      access_key_id: undefined,
      aws_secret_access_key: input.secretAccessKey,
      secret_access_key: undefined,
      aws_session_token: input.sessionToken,
      session_token: undefined,
      aws_redshift_copy_role_arn: input.redshiftCopyRoleArn,
      redshift_copy_role_arn: undefined,
      default_target_schema_select_permissions: asJson(input.defaultTargetSchemaSelectPermissions),
      schema_mapping: asJson(input.schema_mapping),
    }),
    example: {
      host: 'db.example.com',
      username: 'robot',
      password: "{{ secret('PASSWORD') }}",
      dbName: 'shop',
      port: 5439,
      s3Bucket: 'acme-loading',
      defaultTargetSchema: 'sales',
    },
  }),
  defineTarget({
    name: 'PipelinewiseSnowflake',
    of: 'Snowflake',
    command: 'target-snowflake',
    packages: ['pipelinewise-target-snowflake'],
    properties: () => ({
      account: need.text('The account identifier, such as `ab12345.eu-central-1`.'),
      database: need.text('The database to connect to.'),
      username: need.text('The user to log in as.'),
      password: may.text('The password of the user.'),
      warehouse: need.text('The virtual warehouse that runs the statements.'),
      role: may.text('The role of the session; the default role of the user when absent.'),
      awsAccessKeyId: may.text(
        'The AWS access key ID that uploads to `s3Bucket`. The credentials of the environment are used when absent.',
      ),
      awsSecretAccessKey: may.text('The secret of the AWS access key.'),
      awsSessionToken: may.text('The session token of temporary AWS credentials.'),
      awsProfile: may.text('The AWS profile to take credentials from.'),
      s3Bucket: may.text(
        'The bucket of the external stage. Needs `stage`; the internal table stages are used when absent.',
      ),
      s3KeyPrefix: may.text('The prefix of the object keys in the bucket, such as `load/`.'),
      s3EndpointUrl: may.text('The address of an S3-compatible storage; Amazon S3 when absent.'),
      s3RegionName: may.text('The AWS region of the bucket.'),
      s3Acl: may.text('The canned ACL of uploaded objects, such as `bucket-owner-full-control`.'),
      stage: may.text('The external stage with its schema, such as `load.s3_stage`. Needs `s3Bucket`.'),
      fileFormat: may.text(
        'The named file format with its schema, such as `load.csv`. The target needs one.',
      ),
      batchWaitLimit: may.duration('The time after which a batch is loaded even when it is not full.'),
      ...batches(),
      parallelismMax: preset.integer(16, 'The upper limit for the number of threads.'),
      defaultTargetSchema: may.text('The schema for streams that no schema mapping covers.'),
      defaultTargetSchemaSelectPermission: may.text(
        'The role, or a JSON list of roles, that may read new schemas and tables.',
      ),
      schemaMapping: may.text(
        'A JSON object that maps schemas of the source to schemas of the target. Takes precedence over `defaultTargetSchema`.',
      ),
      disableTableCache: preset.flag(
        false,
        'Reads the table structures again for each batch instead of once at the start. Slower, but sees changes by others.',
      ),
      clientSideEncryptionMasterKey: may.text(
        'The 256-bit key in Base64 that encrypts files before the upload to S3. The stage must have the same key.',
      ),
      ...recordHandling(),
      noCompression: preset.flag(false, 'Uploads files without gzip compression.'),
      queryTag: may.text('The query tag of all statements.'),
      archiveLoadFiles: preset.flag(false, 'Keeps a copy of each loaded file in S3.'),
      archiveLoadFilesS3Prefix: may.text('The prefix of archived files; `archive` when absent.'),
      archiveLoadFilesS3Bucket: may.text('The bucket of archived files; `s3Bucket` when absent.'),
    }),
    settings: (input) => ({
      ...asUser(input),
      dbname: input.database,
      database: undefined,
      batch_wait_limit_seconds: seconds(input.batchWaitLimit),
      batch_wait_limit: undefined,
      default_target_schema_select_permission: asJson(input.defaultTargetSchemaSelectPermission),
      schema_mapping: asJson(input.schemaMapping),
    }),
    example: {
      account: 'ab12345.eu-central-1',
      database: 'shop',
      username: 'robot',
      password: "{{ secret('PASSWORD') }}",
      warehouse: 'loading',
      fileFormat: 'sales.csv',
      defaultTargetSchema: 'sales',
    },
  }),
];

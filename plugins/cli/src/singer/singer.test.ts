import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ownPrefix, type TaskDefinition } from '@millrace/plugin-kit';
import { aTaskContext, realProcesses, runType } from '@millrace/plugin-kit/testing';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { cliFamily } from '../index.ts';

const byType = (type: string) => cliFamily.types.find((each) => each.type === type) as TaskDefinition;
const aContext = () => aTaskContext({ spawn: realProcesses });

/** A program in the working directory, found before all others; without packages, pip does not run. */
const doubleOf = (name: string, code: string) => ({
  pipPackages: [],
  inputFiles: { [name]: `#!/usr/bin/env python3\nimport json, os, sys\n${code}\n` },
  beforeCommands: [`chmod +x ${name}`, 'PATH="$PWD:$PATH"'],
});

const tap = `
def option(name):
    return json.load(open(sys.argv[sys.argv.index(name) + 1]))

if "--discover" in sys.argv:
    properties = {"id": {"type": "integer"}, "secret": {"type": "string"}}
    streams = [{"stream": name, "tap_stream_id": name, "schema": {"properties": properties}} for name in ("orders", "other")]
    print(json.dumps({"streams": streams}))
    sys.exit()
config = option("--config")
state = option("--state") if "--state" in sys.argv else {"last": 0}
catalog = option("--catalog" if "--catalog" in sys.argv else "--properties")
for stream in catalog["streams"]:
    if not stream["schema"].get("selected"):
        continue
    wanted = [name for name, each in stream["schema"]["properties"].items() if each.get("selected", True)]
    print(json.dumps({"type": "SCHEMA", "stream": stream["stream"], "schema": {}, "key_properties": []}))
    record = {"id": state["last"] + 1, "secret": "s", "config": config}
    print(json.dumps({"type": "RECORD", "stream": stream["stream"], "record": {name: record[name] for name in wanted + ["config"]}}))
print(json.dumps({"type": "STATE", "value": {"last": state["last"] + 1}}))
print('INFO METRIC: {"type": "counter", "metric": "record_count", "value": 1, "tags": {"endpoint": "orders"}}', file=sys.stderr)
`;

const target = `
config = json.load(open(sys.argv[sys.argv.index("--config") + 1]))
messages = [json.loads(line) for line in sys.stdin]
records = [each["record"] for each in messages if each["type"] == "RECORD"]
if "destination_path" in config:
    with open(os.path.join(config["destination_path"], "orders.csv"), "w") as file:
        file.write(config["delimiter"].join(str(each["id"]) for each in records))
print(json.dumps(messages[-1]["value"]))
`;

const streamsConfigurations = [
  { stream: 'orders', propertiesPattern: ['i.'], replicationMethod: 'INCREMENTAL' },
];

test('a tap reads the selected streams and columns, and continues from the state that a target keeps', async () => {
  const context = aContext();
  const read = (more: object = {}) =>
    runType(
      byType('singer.taps.GenericTap'),
      { ...doubleOf('tap-x', tap), command: 'tap-x', configs: { a: 1 }, streamsConfigurations, ...more },
      context,
    );
  const first = await read();
  expect(first.count).toBe(1);
  expect(await context.files.text(String(first.raw))).toContain(
    '{"type": "RECORD", "stream": "orders", "record": {"id": 1, "config": {"a": 1}}}',
  );
  expect(context.metrics).toEqual([
    { name: 'record_count', type: 'counter', value: 1, tags: { endpoint: 'orders' } },
    { name: 'records', type: 'counter', value: 1, tags: { stream: 'orders' } },
  ]);
  const written = await runType(
    byType('singer.targets.Csv'),
    { ...doubleOf('target-csv', target), delimiter: ';', from: first.raw },
    context,
  );
  expect(Object.keys(written.uris as object)).toEqual(['orders.csv']);
  expect(await context.files.text((written.uris as Record<string, string>)['orders.csv'] ?? '')).toBe('1');
  expect(await context.kv.get(String(written.stateKey))).toEqual({ last: 1 });
  const second = await read({ features: ['CATALOG', 'DISCOVER', 'STATE'] });
  expect(await context.files.text(String(second.raw))).toContain('"record": {"id": 2,');
  const fresh = await read({ features: ['CATALOG', 'DISCOVER'] });
  expect(await context.files.text(String(fresh.raw))).toContain('"record": {"id": 1,');
});

test('the settings of a tap have the names of its program, and a failed program fails the task', async () => {
  const context = aContext();
  const database = { host: 'db', port: 5432, username: 'robot', password: 'p', dbName: 'shop' };
  const { raw } = await runType(
    byType('singer.taps.PipelinewisePostgres'),
    { ...doubleOf('tap-postgres', tap), ...database, filterSchemas: ['a', 'b'], streamsConfigurations },
    context,
  );
  const [, record] = (await context.files.text(String(raw))).split('\n');
  expect(JSON.parse(record ?? '').record.config).toEqual({
    host: 'db',
    port: 5432,
    user: 'robot',
    password: 'p',
    dbname: 'shop',
    ssl: 'false',
    filter_schemas: 'a,b',
    logical_poll_total_seconds: 10800,
    break_at_end_lsn: true,
    max_run_seconds: 43200,
    debug_lsn: 'false',
  });
  const failing = { ...doubleOf('target-x', 'sys.exit(3)'), command: 'target-x', configs: {}, from: raw };
  await expect(runType(byType('singer.targets.GenericTarget'), failing, context)).rejects.toThrow(
    'exit code 3',
  );
});

test('packages are installed in a virtual environment, and pip does not run without packages', async () => {
  const program = (code: string) => `#!/bin/sh\n${code}\n`;
  const inputFiles = {
    python3: program('mkdir -p "$3/bin" && touch "$3/bin/activate"'),
    pip: program('echo "pip $*"'),
    'tap-x': program('true'),
  };
  const logsWith = async (pipPackages: string[]) => {
    const context = aContext();
    const beforeCommands = ['chmod +x python3 pip tap-x', 'PATH="$PWD:$PATH"'];
    const properties = { command: 'tap-x', features: [], configs: {}, streamsConfigurations: [] };
    await runType(
      byType('singer.taps.GenericTap'),
      { inputFiles, beforeCommands, pipPackages, ...properties },
      context,
    );
    return context.logs.map(({ message }) => message);
  };
  expect(await logsWith(['tap-x==1.0'])).toContain('pip install -q tap-x==1.0');
  expect((await logsWith([])).join()).not.toContain('pip');
});

/**
 * Type, program, package, the option with which a tap gets the selected streams (`files` for a target that writes
 * files), and the settings of the type's example.
 */
const programs = `
taps.BigQuery | tap-bigquery | tap-bigquery | catalog | streams limit start_always_inclusive start_datetime
taps.BingAds | tap-bing-ads | tap-bing-ads | catalog | developer_token oauth_client_id oauth_client_secret refresh_token customer_id account_ids start_date
taps.ChargeBee | tap-chargebee | tap-chargebee | catalog | api_key site product_catalog start_date
taps.ExchangeRateHost | tap-exchangeratehost | tap-exchangeratehost | - | base start_date
taps.FacebookAds | tap-facebook | tap-facebook | properties | account_id access_token insights_buffer_days start_date
taps.Fastly | tap-fastly | git+https://github.com/splitio/tap-fastly.git | catalog | api_token start_date
taps.GenericTap | tap-exchangeratehost | tap-exchangeratehost | - | base start_date
taps.GitHub | tap-github | tap-github | properties | access_token repository start_date request_timeout
taps.Gitlab | tap-gitlab | git+https://github.com/MeltanoLabs/tap-gitlab.git | catalog | api_url private_token projects ultimate_license fetch_merge_request_commits fetch_pipelines_extended start_date
taps.GoogleAdwords | tap-adwords | tap-adwords | properties | developer_token oauth_client_id oauth_client_secret refresh_token customer_ids start_date conversion_window_days user_agent
taps.GoogleAnalytics | tap-google-analytics | git+https://gitlab.com/meltano/tap-google-analytics.git | catalog | key_file_location view_id start_date
taps.GoogleSearchConsole | tap-google-search-console | tap-google-search-console | catalog | client_id client_secret refresh_token site_urls start_date user_agent
taps.HubSpot | tap-hubspot | tap-hubspot | properties | redirect_uri client_id client_secret refresh_token hapikey request_timeout start_date
taps.Marketo | tap-marketo | tap-marketo | properties | endpoint identity client_id client_secret start_date
taps.Netsuite | tap-netsuite | git+https://github.com/hotgluexyz/tap-netsuite.git | properties | ns_account ns_consumer_key ns_consumer_secret ns_token_key ns_token_secret select_fields_by_default is_sandbox start_date
taps.PipelinewiseMongoDb | tap-mongodb | pipelinewise-tap-mongodb | catalog | host user password port database auth_database ssl verify_mode include_schemas_in_destination_stream_name update_buffer_size await_time_ms
taps.PipelinewiseMysql | tap-mysql | pipelinewise-tap-mysql | properties | host user password port ssl export_batch_rows session_sqls
taps.PipelinewiseOracle | tap-oracle | pipelinewise-tap-oracle | catalog | host user password port sid
taps.PipelinewisePostgres | tap-postgres | pipelinewise-tap-postgres | properties | host user password dbname port ssl logical_poll_total_seconds break_at_end_lsn max_run_seconds debug_lsn
taps.PipelinewiseSqlServer | tap-mssql | tap-mssql | catalog | host database port user password use_date_datatype
taps.Quickbooks | tap-quickbooks | git+https://github.com/hotgluexyz/tap-quickbooks.git | properties | select_fields_by_default is_sandbox state_message_threshold max_workers realmId client_id client_secret refresh_token start_date
taps.Recharge | tap-recharge | tap-recharge | catalog | access_token start_date
taps.SageIntacct | tap-intacct | git+https://github.com/hotgluexyz/tap-intacct.git | catalog | company_id sender_id sender_password user_id user_password start_date
taps.Salesforce | tap-salesforce | tap-salesforce | properties | api_type select_fields_by_default is_sandbox client_id client_secret refresh_token lookback_window start_date
taps.Shopify | tap-shopify | tap-shopify | catalog | shop api_key start_date
taps.Slack | tap-slack | tap-slack | catalog | token start_date private_channels join_public_channels exclude_archived date_window_size
taps.Stripe | tap-stripe | tap-stripe | catalog | account_id client_secret start_date
taps.Zendesk | tap-zendesk | tap-zendesk | catalog | subdomain access_token start_date
taps.Zoom | tap-zoom | tap-zoom | catalog | client_id client_secret refresh_token
targets.AdswerveBigQuery | target-bigquery | git+https://github.com/adswerve/target-bigquery.git | - | project_id dataset_id validate_records add_metadata_columns replication_method max_cache merge_state_messages
targets.Csv | target-csv | target-csv | files | delimiter quotechar destination_path
targets.DatamillCoPostgres | target-postgres | singer-target-postgres | - | postgres_host postgres_port postgres_username postgres_password postgres_database postgres_schema postgres_sslmode invalid_records_detect invalid_records_threshold logging_level persist_empty_tables max_batch_rows max_buffer_size add_upsert_indexes
targets.GenericTarget | target-jsonl | target-jsonl | - | destination_path
targets.Json | target-jsonl | target-jsonl | files | destination_path
targets.MeltanoSnowflake | target-snowflake | meltanolabs-target-snowflake | - | account database user password warehouse schema add_record_metadata
targets.Oracle | target-oracle | git+https://github.com/radbrt/target-oracle.git | - | host database port username password
targets.PipelinewisePostgres | target-postgres | pipelinewise-target-postgres | - | host user password dbname port batch_size_rows flush_all_streams parallelism max_parallelism add_metadata_columns hard_delete data_flattening_max_level primary_key_required validate_records
targets.PipelinewiseRedshift | target-redshift | pipelinewise-target-redshift | - | host user password dbname port s3_bucket default_target_schema batch_size_rows flush_all_streams parallelism max_parallelism disable_table_cache add_metadata_columns hard_delete data_flattening_max_level primary_key_required validate_records skip_updates compression slices
targets.PipelinewiseSnowflake | target-snowflake | pipelinewise-target-snowflake | - | account user password warehouse dbname file_format default_target_schema batch_size_rows flush_all_streams parallelism parallelism_max disable_table_cache add_metadata_columns hard_delete data_flattening_max_level primary_key_required validate_records no_compression archive_load_files
targets.SqlServer | target-mssql | git+https://github.com/storebrand/target-mssql.git | - | host database port username password
`
  .trim()
  .split('\n')
  .map((line) => line.split(' | ') as [string, string, string, string, string]); // `as`: each line has five parts.

const isSinger = (type: string) => type.startsWith('singer.');

test('the table of programs has each tap and target', () => {
  const types = cliFamily.types.map(({ type }) => type).filter(isSinger);
  expect(programs.map(([type]) => `singer.${type}`)).toEqual(types.sort());
});

test.each(programs)(
  'singer.%s runs %s of the package %s',
  async (type, program, installed, passes, settings) => {
    let script = '';
    let config: object = {};
    const context = aTaskContext({
      spawn: async ({ command, workingDirectory: folder }) => {
        script = (command.at(-1) ?? '').trimEnd();
        config = JSON.parse(await readFile(join(folder, `${ownPrefix}config.json`), 'utf8'));
        await writeFile(join(folder, script.split(' ').at(-1) ?? ''), '');
        return { exitCode: 0, signal: null, droppedBytes: { stdout: 0, stderr: 0 } };
      },
    });
    const definition = byType(`singer.${type}`);
    // The example of the type, with names in place of secrets.
    const code = (definition.examples[0]?.code ?? '').replace(/\{\{ secret\('(\w+)'\) \}\}/g, '$1');
    const { id: _, type: __, ...properties } = parse(code).tasks.at(-1);
    const from = 'from' in properties && { from: await context.files.put('raw.jsonl', '') };
    await runType(definition, { ...properties, ...from }, context);

    const lines = script.replaceAll(ownPrefix, '').split('\n');
    const run = `${program} --config config.json`;
    const select = passes === '-' ? '' : ` --${passes} catalog.json`;
    expect(lines.slice(lines.indexOf('python3 -m venv venv'))).toEqual([
      'python3 -m venv venv',
      '. venv/bin/activate',
      `pip install -q '${installed}'`,
      ...(type.startsWith('taps.')
        ? [
            ...(select !== '' ? [`${run} --discover > catalog.json`, 'python3 select.py'] : []),
            `${run}${select} > messages.jsonl`,
          ]
        : [...(passes === 'files' ? ['mkdir -p singer-files'] : []), `${run} < messages.jsonl > state.json`]),
    ]);
    expect(Object.keys(config).sort()).toEqual(settings.split(' ').sort());
  },
);

import type { TaskDefinition } from '@millrace/plugin-kit';
import { aTaskContext, realProcesses, runType } from '@millrace/plugin-kit/testing';
import { expect, test } from 'vitest';
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

import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Definition, messageOf, ownPrefix, type TaskDefinition } from '@millrace/plugin-kit';
import { aTaskContext, realNetwork, runType, type TestContext, testRun } from '@millrace/plugin-kit/testing';
import { type ApiServer, startApiServer } from '@millrace/plugin-kubernetes/testing';
import { type FakeDocker, startFakeDocker } from '@millrace/plugin-scripts/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFullCatalogue } from './testing.ts';

/*
 * Every type that runs a command-line program, on the Docker runner and on the Kubernetes runner: its commands, variables
 * and files reach the container, and its files and results come back. A program of each name stands in for the image.
 */

const catalogue = createFullCatalogue();
const definitionOf = (type: string): Definition | undefined => catalogue.find(type)?.definition;

interface Row {
  /** The program that the type calls. */
  readonly program: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** The arguments that the program gets, or the whole call. */
  readonly called: string | RegExp;
  /** What the task makes of the files that the program leaves. */
  readonly check?: (outputs: Readonly<Record<string, unknown>>, context: TestContext) => unknown;
}

const commands = (program: string): Row => ({
  program,
  properties: { commands: [`${program} plan "$NAME"`] },
  called: 'plan me',
});

const modelRuns: Row['check'] = ({ outputFiles }, { taskRuns }) => {
  expect(taskRuns).toMatchObject([
    { taskId: 'model.shop.orders', state: 'SUCCESS' },
    { taskId: 'test.shop.unique', state: 'WARNING' },
  ]);
  expect(outputFiles).toMatchObject({ 'run_results.json': expect.any(String) });
};
/** These differ in their name and their image alone. */
const samePrograms = {
  'opentofu.cli.OpenTofuCLI': commands('tofu'),
  'terragrunt.cli.TerragruntCLI': commands('terragrunt'),
  'sqlmesh.cli.SQLMeshCLI': commands('sqlmesh'),
  'dataform.cli.DataformCLI': commands('dataform'),
  'modal.cli.ModalCLI': commands('modal'),
  'trivy.cli.TrivyCLI': commands('trivy'),
  'malloy.CLI': commands('malloy-cli'),
  'dlt.CLI': commands('dlt'),
  'liquibase.CLI': commands('liquibase'),
  'cloudquery.CloudQueryCLI': commands('cloudquery'),
  'helm.cli.HelmCLI': commands('helm'),
  'meltano.cli.MeltanoCLI': commands('meltano'),
  'spark.SparkCLI': commands('spark-submit'),
};
/** Pods are expensive to emulate, so `terraform.cli.TerraformCLI` stands for the programs that it shares its code with. */
const sharesCode: ReadonlySet<string> = new Set(Object.keys(samePrograms));

const rows: Readonly<Record<string, Row>> = {
  ...samePrograms,
  'terraform.cli.TerraformCLI': commands('terraform'),
  'gcp.cli.GCloudCLI': commands('gcloud'),
  'aws.cli.AwsCLI': commands('aws'),
  'azure.cli.AzCLI': commands('az'),
  'huawei.koocli.KooCLI': commands('hcloud'),
  'ollama.cli.OllamaCLI': {
    program: 'ollama',
    properties: { commands: ['ollama run "$NAME"'], host: 'http://models.example.com' },
    called: 'run me',
  },
  'databricks.cli.DatabricksCLI': {
    ...commands('databricks'),
    properties: { ...commands('databricks').properties, databricksHost: 'https://dbc' },
  },
  'databricks.cli.DatabricksSQLCLI': {
    program: 'dbsqlcli',
    properties: { host: 'dbc', token: 'the-token', httpPath: '/sql', commands: ["SELECT 'a b'"] },
    called: "-e SELECT 'a b'",
  },
  'redis.cli.RedisCLI': {
    program: 'redis-cli',
    properties: { host: 'redis.example.com', commands: ['GET "$NAME"'] },
    called: '-e -h redis.example.com -p 6379 -n 0 --no-auth-warning GET me',
  },
  'jdbc.snowflake.SnowflakeCLI': {
    program: 'snow',
    properties: { account: 'shop', username: 'robot', password: 'p', commands: ['snow sql "$NAME"'] },
    called: 'sql me',
  },
  'jdbc.clickhouse.ClickHouseLocalCLI': {
    program: 'clickhouse-local',
    properties: { commands: ['SELECT 1'] },
    called: '--query SELECT 1',
  },
  'docker.cli.Compose': {
    program: 'docker',
    properties: { composeFile: 'services:\n  web: {}\n', composeArgs: ['up', '--detach'] },
    called: 'compose -f compose.millrace.yml up --detach',
  },
  'dlt.Run': {
    program: 'python3',
    properties: { script: 'import dlt\n' },
    called: /^python3 .*\.py$/,
  },
  'liquibase.Diff': {
    program: 'liquibase',
    properties: { url: 'jdbc:a', referenceUrl: 'jdbc:b', changelogFile: 'changes.xml' },
    called: 'diff-changelog --url=jdbc:a --reference-url=jdbc:b --changelog-file=changes.xml',
    check: ({ outputFiles }) => expect(outputFiles).toMatchObject({ 'changes.xml': expect.any(String) }),
  },
  'cloudquery.Sync': {
    program: 'cloudquery',
    properties: { configs: [{ kind: 'source' }], incremental: true },
    called: 'sync cloudquery-config-0.yml --log-console',
    check: async (_, { kv }) =>
      expect(await kv.get('cloudquery_a_flow_a_task', 'company.team')).toBe(btoa('state\n')),
  },
  'datahub.Ingestion': {
    program: 'datahub',
    properties: { recipe: { source: {} } },
    called: 'ingest -c recipe.yml',
  },
  'beam.RunPipeline': {
    program: 'python',
    properties: { definition: 'pipeline: {}' },
    called: '-m apache_beam.yaml.main --yaml_pipeline_file=pipeline.yaml --runner=DirectRunner',
  },
  'spark.PythonSubmit': {
    program: 'spark-submit',
    properties: {
      sparkSubmitPath: 'spark-submit',
      master: 'local',
      mainScript: 'print(1)',
      args: ['one two'],
    },
    called: '--master local --deploy-mode client app.py one two',
  },
  'soda.Scan': {
    program: 'python3',
    properties: { configuration: { 'data_source shop': {} }, checks: {} },
    called: /^python3 .*\.py$/,
    check: (outputs) =>
      expect(outputs).toMatchObject({ exitCode: 0, result: { checks: [{ outcome: 'pass' }] } }),
  },
  'singer.taps.GenericTap': {
    program: 'tap-x',
    properties: { command: 'tap-x', pipPackages: [], configs: {}, streamsConfigurations: [] },
    called: /^tap-x --config .*config.json --properties/,
    check: (outputs) => expect(outputs).toMatchObject({ count: 1, raw: expect.any(String) }),
  },
  'singer.targets.Csv': {
    program: 'target-x',
    properties: { command: 'target-x', pipPackages: [] },
    called: /^target-x --config .*config.json/,
    check: (outputs) => expect(outputs).toMatchObject({ uris: { 'orders.csv': expect.any(String) } }),
  },
  'ansible.cli.AnsibleCLI': {
    ...commands('ansible-playbook'),
    check: ({ playbooks }, { taskRuns }) => {
      expect(taskRuns).toMatchObject([{ taskId: 'Say hello', state: 'SUCCESS' }]);
      expect(playbooks).toMatchObject([{ plays: [{ tasks: [{ hosts: [{ host: 'web1' }] }] }] }]);
    },
  },
  'dbt.cli.DbtCLI': {
    program: 'dbt',
    properties: { commands: ['dbt build'], profiles: 'shop: {}\n' },
    called: 'build --log-format json --log-path logs',
    check: modelRuns,
  },
  'dbt.cli.Setup': {
    program: 'python',
    properties: { profiles: 'shop: {}', requirements: ['dbt-duckdb'] },
    called: '-m pip install -q --disable-pip-version-check dbt-duckdb',
  },
  'dbt.cli.Build': {
    program: 'dbt',
    properties: { dbtPath: 'dbt', select: ['a'] },
    called: '--log-format json --log-path logs build --select a',
    check: modelRuns,
  },
};

/** Stands in for every program: it says how it was called, and makes files of its variables and of its files. */
const double = `#!/bin/sh
echo "called: \${0##*/} $*" >&2
[ -f in.txt ] && cat in.txt > out.txt
echo "$NAME" >> out.txt
pwd >> out.txt
echo '::{"outputs":{"rows":3}}::'
now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
case "\${0##*/} $*" in
  dbt*)
    mkdir -p target
    printf '%s' '{"metadata": {"generated_at": "'$now'"}, "results": [
      {"unique_id": "model.shop.orders", "status": "success"}, {"unique_id": "test.shop.unique", "status": "warn"}]}' > target/run_results.json ;;
  ansible-playbook*)
    echo '{"event": "host", "at": "'$now'", "uid": "1", "name": "Say hello", "host": "web1", "status": "ok", "result": {}}' >> "$MILLRACE_ANSIBLE_RESULTS" ;;
  liquibase*) echo x > changes.xml ;;
  "cloudquery sync"*) echo state > cloudquery-state.db ;;
  *"venv --copies"*) mkdir -p bin; cp "$0" bin/python ;;
  python3*) echo '{"metrics": [], "checks": [{"outcome": "pass"}]}' > ${ownPrefix}soda-result.json ;;
  tap*discover*) echo '{"streams": []}' ;;
  tap*) echo '{"type": "RECORD", "stream": "orders", "record": {}}' ;;
  target*) cat > singer-files/orders.csv; echo '{"last": 1}' ;;
esac
`;

let programs: string;
let docker: FakeDocker;
let cluster: ApiServer;
beforeAll(async () => {
  programs = mkdtempSync(join(tmpdir(), 'programs-'));
  writeFileSync(join(programs, 'double'), double);
  chmodSync(join(programs, 'double'), 0o755);
  for (const program of new Set(Object.values(rows).map((row) => row.program)))
    symlinkSync('double', join(programs, program));
  docker = await startFakeDocker();
  cluster = await startApiServer();
});
afterAll(async () => {
  await docker.close();
  await cluster.close();
  rmSync(programs, { recursive: true, force: true });
});

let lastRun = 0;
function aContext(): TestContext {
  const context: TestContext = aTaskContext({
    ...realNetwork(),
    run: { ...testRun, taskRunId: `run${++lastRun}` },
    configuration: () => ({ host: `unix://${docker.socketPath}` }),
    findType: definitionOf,
    runNested: ({ type, ...properties }) =>
      runType(definitionOf(String(type)) as TaskDefinition, properties, context),
  });
  return context;
}

const runners = {
  Docker: {
    taskRunner: () => ({ type: 'scripts.runner.docker.Docker' }),
    /** The folder of the containers, where a process of the worker itself never is. */
    place: 'fake-docker',
  },
  Kubernetes: {
    taskRunner: () => ({
      type: 'kubernetes.runner.Kubernetes',
      connection: { masterUrl: cluster.url, oauthToken: cluster.token, caCertData: cluster.certificates.ca },
    }),
    place: 'fake-node',
  },
};

/** Types that share the code of a type in the table; script tasks have these tests in their family. Argo CD runs no program. */
const sharesTest = /^(scripts|singer|argocd)\.|^spark\.(Jar|R)Submit$|^dbt\.cli\./;

test('every type that runs a program is tested here', () => {
  const types = catalogue
    .definitions()
    .filter(
      ({ kind, input }) => kind === 'task' && 'taskRunner' in input.shape && 'containerImage' in input.shape,
    )
    .map(({ type }) => type);
  expect(types.filter((type) => !(type in rows) && !sharesTest.test(type))).toEqual([]);
});

test.each(['Docker', 'Kubernetes'] as const)(
  'on the %s runner every program gets its command, variables and files, and its files and results come back',
  async (name) => {
    const { taskRunner, place } = runners[name];
    const run = async ([type, { program, properties, called, check }]: readonly [string, Row]) => {
      const context = aContext();
      const from = await context.files.put('messages.jsonl', '{"type": "STATE"}\n');
      const outputs = await runType(
        definitionOf(type) as TaskDefinition,
        {
          containerImage: 'here',
          inputFiles: { 'in.txt': 'seven\n' },
          env: { NAME: 'me', PATH: `${programs}:${process.env.PATH}` },
          outputFiles: ['out.txt'],
          ...(type.startsWith('singer.targets') && { from }),
          ...properties,
          taskRunner: taskRunner(),
        },
        context,
      );
      const calls = context.logs.flatMap(({ message }) => /^called: (.*)$/.exec(message)?.[1] ?? []);
      expect(calls.at(-1)).toMatch(called instanceof RegExp ? called : `${program} ${called}`);
      if (check) await check(outputs, context);
      if (!('outputFiles' in outputs)) return;
      expect(outputs).toMatchObject({ exitCode: 0, vars: { rows: 3 } });
      const uri = (outputs.outputFiles as Record<string, string>)['out.txt'] ?? '';
      expect(await context.files.text(uri)).toMatch(new RegExp(`seven\nme\n.*${place}`));
    };
    const left = Object.entries(rows).filter(([type]) => name === 'Docker' || !sharesCode.has(type));
    const problems: string[] = [];
    const takeRows = async () => {
      for (let row = left.shift(); row; row = left.shift()) {
        const [type] = row;
        await run(row).catch((error: unknown) => problems.push(`${type}: ${messageOf(error)}`));
      }
    };
    await Promise.all(Array.from({ length: 12 }, takeRows));
    expect(problems).toEqual([]);
  },
);

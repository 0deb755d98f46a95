import type { TaskDefinition } from '@millrace/plugin-kit';
import { aTaskContext, realProcesses, runType, type TestContext } from '@millrace/plugin-kit/testing';
import { describe, expect, test } from 'vitest';
import { ansibleCli } from './ansible/ansible.ts';
import { cliFamily } from './index.ts';

const aContext = () => aTaskContext({ spawn: realProcesses });
const said = ({ logs }: TestContext) => logs.map(({ level, message }) => `${level} ${message}`);
const byType = (type: string) => cliFamily.types.find((each) => each.type === type) as TaskDefinition;

/** A fake program that prints the arguments it was called with. */
const doubleOf = (name: string, code = 'echo "called: $*"') => ({
  inputFiles: { [name]: `#!/bin/sh\n${code}\n` },
  beforeCommands: [`chmod +x ${name}`, 'PATH="$PWD:$PATH"'],
});

test.each([
  ['terraform.cli.TerraformCLI', 'terraform'],
  ['opentofu.cli.OpenTofuCLI', 'tofu'],
  ['terragrunt.cli.TerragruntCLI', 'terragrunt'],
  ['sqlmesh.cli.SQLMeshCLI', 'sqlmesh'],
  ['dataform.cli.DataformCLI', 'dataform'],
  ['modal.cli.ModalCLI', 'modal'],
  ['trivy.cli.TrivyCLI', 'trivy'],
  ['malloy.CLI', 'malloy-cli'],
  ['dlt.CLI', 'dlt'],
  ['liquibase.CLI', 'liquibase'],
  ['cloudquery.CloudQueryCLI', 'cloudquery'],
  ['helm.cli.HelmCLI', 'helm'],
  ['meltano.cli.MeltanoCLI', 'meltano'],
  ['spark.SparkCLI', 'spark-submit'],
])('%s runs its commands with files, variables and outputs', async (type, program) => {
  const context = aContext();
  const outputs = await runType(
    byType(type),
    {
      ...doubleOf(program),
      env: { NAME: 'me' },
      commands: [`${program} plan "$NAME" > out.txt`, `echo '::{"outputs":{"a":1}}::'`],
      outputFiles: ['out.txt'],
    },
    context,
  );
  expect(outputs).toMatchObject({ vars: { a: 1 }, exitCode: 0 });
  expect(await context.files.text((outputs.outputFiles as Record<string, string>)['out.txt'] ?? '')).toBe(
    'called: plan me\n',
  );
  await expect(runType(byType(type), { commands: ['exit 3'] }, aContext())).rejects.toThrow('exit code 3');
});

test('databricks.cli: the login is in the environment, and statements are quoted', async () => {
  const context = aContext();
  const login = { databricksHost: 'https://dbc', databricksToken: 'the-token' };
  const code = 'echo "$DATABRICKS_HOST" "$1"; test "$DATABRICKS_TOKEN" = the-token';
  await runType(
    byType('databricks.cli.DatabricksCLI'),
    { ...doubleOf('databricks', code), ...login, commands: ['databricks clusters'] },
    context,
  );
  const place = { host: 'dbc', token: 't', httpPath: '/sql', options: { 'table-format': 'csv' } };
  await runType(
    byType('databricks.cli.DatabricksSQLCLI'),
    {
      ...doubleOf('dbsqlcli', 'echo "$DBSQLCLI_HTTP_PATH $*"'),
      ...place,
      commands: ["SELECT 'a b'"],
    },
    context,
  );
  expect(said(context)).toEqual([
    'INFO https://dbc clusters',
    "INFO /sql -e SELECT 'a b' --table-format csv",
  ]);
});

test('datahub.Ingestion writes its recipe, and beam.RunPipeline calls the right program', async () => {
  const context = aContext();
  const recipe = { source: { type: 'postgres' } };
  await runType(
    byType('datahub.Ingestion'),
    { ...doubleOf('datahub', 'echo "$*"; cat recipe.yml'), recipe },
    context,
  );
  const beam = (properties: object) =>
    runType(byType('beam.RunPipeline'), { ...doubleOf('python'), ...properties }, context);
  await beam({ definition: 'pipeline: {}', options: { a: 'x y' }, runnerConfig: { workers: 2 } });
  await beam({ file: 'job.py', beamRunner: 'FLINK' });
  expect(said(context)).toEqual([
    'INFO ingest -c recipe.yml',
    'INFO source:',
    'INFO   type: postgres',
    'INFO called: -m apache_beam.yaml.main --yaml_pipeline_file=pipeline.yaml --runner=DirectRunner --a=x y --workers=2',
    'INFO called: job.py --runner=FlinkRunner',
  ]);
  await expect(beam({})).rejects.toThrow('Exactly one of "file" and "definition"');
});

test('dlt.Run runs the code of the flow', async () => {
  const context = aContext();
  await runType(byType('dlt.Run'), { script: 'print("loaded", 3)' }, context);
  expect(said(context)).toEqual(['INFO loaded 3']);
});

test('liquibase.Diff passes passwords in the environment and keeps the changelog', async () => {
  const context = aContext();
  const code =
    'echo "called: $*"; test "$LIQUIBASE_COMMAND_PASSWORD" = correct-horse && echo x > changes.xml';
  const { outputFiles } = await runType(
    byType('liquibase.Diff'),
    {
      ...doubleOf('liquibase', code),
      url: 'jdbc:a',
      username: 'me',
      password: 'correct-horse',
      referenceUrl: 'jdbc:b',
      changelogFile: 'changes.xml',
    },
    context,
  );
  expect(said(context)).toEqual([
    'INFO called: diff-changelog --url=jdbc:a --username=me --reference-url=jdbc:b --changelog-file=changes.xml',
  ]);
  expect(Object.keys(outputFiles as object)).toEqual(['changes.xml']);
});

test('cloudquery.Sync writes its configurations and keeps its state between executions', async () => {
  const code =
    'echo "called: $*"; cat cloudquery-config-0.yml; cat cloudquery-state.db 2>/dev/null; echo state >> cloudquery-state.db';
  const properties = {
    ...doubleOf('cloudquery', code),
    configs: [{ kind: 'source' }, 'other.yml'],
    incremental: true,
  };
  const context = aContext();
  expect(await runType(byType('cloudquery.Sync'), properties, context)).toMatchObject({ outputFiles: {} });
  expect(said(context)).toEqual([
    'INFO called: sync cloudquery-config-0.yml other.yml --log-console',
    'INFO kind: source',
  ]);
  const next = aContext();
  const kept = await context.kv.get('cloudquery_a_flow_a_task', 'company.team');
  await next.kv.set('cloudquery_a_flow_a_task', kept, {
    namespace: 'company.team',
    overwrite: true,
    type: 'STRING',
  });
  await runType(byType('cloudquery.Sync'), properties, next);
  expect(said(next)).toContain('INFO state');
});

test('spark.PythonSubmit makes the command from its properties', async () => {
  const context = aContext();
  await runType(
    byType('spark.PythonSubmit'),
    {
      ...doubleOf('spark-submit', 'echo "called: $*"; cat app.py'),
      sparkSubmitPath: './spark-submit',
      master: 'local[*]',
      name: 'my job',
      mainScript: 'print(1)\n',
      pythonFiles: { 'lib.py': 'x = 1' },
      appFiles: { 'data.csv': 'a' },
      configurations: { 'spark.executor.memory': '2g' },
      args: ['one two'],
    },
    context,
  );
  expect(said(context)).toEqual([
    'INFO called: --master local[*] --name my job --deploy-mode client --conf spark.executor.memory=2g --files data.csv --py-files lib.py app.py one two',
    'INFO print(1)',
  ]);
});

test.each([
  [
    'spark.JarSubmit',
    { mainResource: 'https://x.example.com/a.jar', mainClass: 'com.example.A', jars: { 'lib.jar': 'bytes' } },
    '--class com.example.A --jars lib.jar https://x.example.com/a.jar one',
  ],
  ['spark.RSubmit', { mainScript: 'q()' }, 'app.R one'],
])('%s makes the command from its properties', async (type, properties, command) => {
  const context = aContext();
  const program = { ...doubleOf('spark-submit'), sparkSubmitPath: './spark-submit' };
  await runType(byType(type), { ...program, master: 'local', args: ['one'], ...properties }, context);
  expect(said(context)).toEqual([`INFO called: --master local --deploy-mode client ${command}`]);
});

test('soda.Scan fails when checks fail, and returns what Soda measured without secrets', async () => {
  // A fake Soda Core module with the calls that the task uses.
  const soda = (outcome: string) => `class Scan:
    def __getattr__(self, name):
        return lambda *args: print(name, *args) if name != "build_scan_results" else {
            "hasFailures": ${outcome === 'fail' ? 'True' : 'False'}, "hasWarnings": ${outcome === 'warn' ? 'True' : 'False'},
            "metrics": [{"identity": "row_count", "metricName": "row_count", "value": 4}],
            "checks": [{"name": "row_count > 5", "outcome": "${outcome}"}]}
`;
  const run = (outcome: string, context: TestContext) =>
    runType(
      byType('soda.Scan'),
      {
        inputFiles: { 'soda/__init__.py': '', 'soda/scan.py': soda(outcome) },
        env: { PYTHONPATH: '.' },
        configuration: { 'data_source shop': { type: 'duckdb', password: 'correct-horse' } },
        checks: { 'checks for orders': ['row_count > 5'] },
      },
      context,
    );
  const context = aContext();
  expect(await run('pass', context)).toMatchObject({
    exitCode: 0,
    stdErrLineCount: 0,
    result: { checks: [{ outcome: 'pass' }] },
    configuration: { 'data_source shop': { type: 'duckdb', password: '******' } },
  });
  expect(context.metrics).toEqual([{ name: 'row_count', type: 'counter', value: 4 }]);
  expect(said(context)).toContain('INFO set_data_source_name shop');
  await expect(run('fail', aContext())).rejects.toThrow('The data failed 1 checks: "row_count > 5".');
  await expect(runType(byType('soda.Scan'), { checks: {}, configuration: {} }, aContext())).rejects.toThrow(
    'no data source',
  );
});

describe('ansible.cli.AnsibleCLI', () => {
  const playbook = (ignores: boolean) => `- name: Set up
  hosts: localhost
  connection: local
  gather_facts: false
  tasks:
    - name: Say hello
      ansible.builtin.command: echo hello
    - name: Never
      ansible.builtin.debug: { msg: never }
      when: false
    - name: Set a result
      ansible.builtin.set_stats:
        data: { color: blue }
    - name: Fail
      ansible.builtin.command: "false"
      ignore_errors: ${ignores}
`;
  const run = (context: TestContext, properties: Record<string, unknown> = {}) =>
    runType(
      ansibleCli,
      {
        inputFiles: { 'playbook.yml': playbook(true) },
        commands: ['ansible-playbook playbook.yml'],
        ...properties,
      },
      context,
    );

  test('shows the tasks of a playbook and returns their results', async () => {
    const context = aContext();
    const { vars, playbooks, outputFiles } = await run(context, { outputLogFile: true });
    expect(context.taskRuns.map(({ taskId, state }) => `${taskId}:${state}`)).toEqual([
      'Say hello:SUCCESS',
      'Never:SKIPPED',
      'Set a result:SUCCESS',
      'Fail:WARNING',
    ]);
    expect(playbooks).toMatchObject([
      {
        plays: [
          {
            name: 'Set up',
            tasks: [
              {
                name: 'Say hello',
                hosts: [{ host: 'localhost', status: 'changed', result: { stdout: 'hello' } }],
              },
              {},
              {},
              {},
            ],
          },
        ],
      },
    ]);
    expect((vars as { outputs: unknown[] }).outputs[0]).toMatchObject({ stdout: 'hello', rc: 0 });
    expect(await context.files.text((outputFiles as { log: string }).log)).toContain('Say hello');
  });

  test('a task that fails, fails the command and keeps the results', async () => {
    const context = aContext();
    const failure = run(context, {
      inputFiles: { 'playbook.yml': playbook(false) },
      outputsMode: 'EXPLICIT',
    });
    await expect(failure).rejects.toThrow('Command failed with exit code 2');
    await failure.catch((error: unknown) =>
      expect(error).toMatchObject({ outputs: { vars: { outputs: { color: 'blue' } } } }),
    );
    expect(context.taskRuns.at(-1)).toMatchObject({ taskId: 'Fail', state: 'FAILED' });
  });
});

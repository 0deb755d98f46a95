import {
  anything,
  choice,
  defineTask,
  integer,
  isStorageUri,
  listOf,
  mapOf,
  TaskFailed,
  text,
  writeInside,
} from '@millrace/plugin-kit';
import { cliProperties, cliTask, runScript, shellQuote } from '@millrace/plugin-scripts';
import { stringify } from 'yaml';
import { z } from 'zod';

const recipeFile = 'recipe.yml';

export const datahubIngestion = defineTask({
  ...cliTask,
  type: 'datahub.Ingestion',
  title: 'Run an ingestion recipe of DataHub',
  description: `Runs \`datahub ingest\` with a recipe. The program must be on the worker, or \`taskRunner\` names a container or pod with it. Put passwords in
\`env\` and refer to them in the recipe as \`\${NAME}\`.`,
  input: () =>
    z.object({
      recipe: anything()
        .refine((value) => value !== undefined && value !== null, 'must be given')
        .describe('The recipe: a map, its text, or a file in internal storage.'),
      ...cliProperties('acryldata/datahub-ingestion:head'),
    }),
  examples: [
    {
      title: 'Ingest the tables of PostgreSQL.',
      runs: false,
      code: `id: datahub_ingestion
namespace: company.team

tasks:
  - id: ingest
    type: datahub.Ingestion
    taskRunner:
      type: scripts.runner.docker.Docker
    env:
      DB_PASSWORD: "{{ secret('DB_PASSWORD') }}"
    recipe:
      source:
        type: postgres
        config:
          host_port: db.example.com:5432
          database: shop
          username: robot
          password: \${DB_PASSWORD}
      sink:
        type: datahub-rest
        config:
          server: http://datahub.example.com:8080
`,
    },
  ],
  async run(context, input) {
    const { recipe } = input;
    // The URI of a stored file is replaced by its local path when the command is prepared.
    const isFile = typeof recipe === 'string' && isStorageUri(recipe.trim());
    if (!isFile)
      await writeInside(
        await context.workingDirectory(),
        recipeFile,
        typeof recipe === 'string' ? recipe : stringify(recipe),
      );
    const name = isFile ? String(recipe).trim() : recipeFile;
    return runScript(context, input, { lines: [`datahub ingest -c ${shellQuote(name)}`] });
  },
});

const runners = {
  DIRECT: 'DirectRunner',
  FLINK: 'FlinkRunner',
  SPARK: 'SparkRunner',
  DATAFLOW: 'DataflowRunner',
};
const definitionFile = 'pipeline.yaml';

export const beamRunPipeline = defineTask({
  ...cliTask,
  type: 'beam.RunPipeline',
  title: 'Run an Apache Beam pipeline',
  description: `Runs a pipeline. \`definition\` is a pipeline of Beam YAML, which the Python SDK runs. \`file\` is a Python script with \`sdk: PYTHON\`, or a JAR with
\`sdk: JAVA\`, and gets the runner and the options as arguments. The SDK must be on the worker, or \`taskRunner\` names a container or pod with it. Metrics
of the pipeline are recorded when it prints them, as \`::{"metrics": [{"name": "beam.counter", "type": "counter", "value": 1}]}::\`.`,
  input: () =>
    z.object({
      file: text()
        .optional()
        .describe('The script or JAR: a path in the working directory, or a file in internal storage.'),
      definition: text().optional().describe('The pipeline as Beam YAML.'),
      sdk: choice(['JAVA', 'PYTHON']).default('PYTHON').describe('The SDK of the pipeline.'),
      beamRunner: choice(['DIRECT', 'FLINK', 'SPARK', 'DATAFLOW'])
        .default('DIRECT')
        .describe('Where the pipeline runs.'),
      options: mapOf(text()).default({}).describe('Options of the pipeline, without the leading dashes.'),
      runnerConfig: mapOf(anything())
        .default({})
        .describe('Options of the runner, such as `project` and `region` of Dataflow.'),
      requirements: listOf(text()).default([]).describe('Python packages to install first.'),
      pipelineTimeoutSeconds: integer({ min: 1 })
        .default(300)
        .describe('After how many seconds the pipeline is stopped and the task fails.'),
      ...cliProperties('apache/beam_python3.11_sdk:latest'),
    }),
  metrics: [
    { name: 'beam.counter', type: 'counter', description: 'A counter, when the pipeline prints it.' },
    { name: 'beam.distribution', type: 'timer', description: 'A distribution, when the pipeline prints it.' },
    { name: 'beam.gauge', type: 'counter', description: 'A gauge, when the pipeline prints it.' },
  ],
  examples: [
    {
      title: 'Count words with Beam YAML.',
      runs: false,
      code: `id: beam_run_pipeline
namespace: company.team

tasks:
  - id: pipeline
    type: beam.RunPipeline
    taskRunner:
      type: scripts.runner.docker.Docker
    requirements:
      - apache-beam[yaml]
    definition: |
      pipeline:
        type: chain
        transforms:
          - type: Create
            config:
              elements: [{name: Ada}, {name: Grace}]
          - type: LogForTesting
`,
    },
  ],
  async run(context, input) {
    const { file, definition, sdk, requirements } = input;
    if ((file === undefined) === (definition === undefined))
      throw new TaskFailed('Exactly one of "file" and "definition" must be given.', { retry: false });
    if (definition !== undefined && sdk === 'JAVA')
      throw new TaskFailed('"definition" is Beam YAML, which needs "sdk: PYTHON".', { retry: false });
    if (definition !== undefined)
      await writeInside(await context.workingDirectory(), definitionFile, definition);
    const given = { ...input.options, ...input.runnerConfig };
    const options = Object.entries({ runner: runners[input.beamRunner], ...given }).map(
      ([name, value]) => `--${name}=${shellQuote(typeof value === 'string' ? value : JSON.stringify(value))}`,
    );
    const program =
      definition !== undefined
        ? `python -m apache_beam.yaml.main --yaml_pipeline_file=${definitionFile}`
        : sdk === 'JAVA'
          ? `java -jar ${shellQuote(file ?? '')}`
          : `python ${shellQuote(file ?? '')}`;
    const install =
      requirements.length === 0 ? [] : [`pip install --quiet ${requirements.map(shellQuote).join(' ')}`];
    return runScript(context, input, {
      lines: [...install, [`timeout ${input.pipelineTimeoutSeconds}`, program, ...options].join(' ')],
      env: { PYTHONUNBUFFERED: 'true', PIP_ROOT_USER_ACTION: 'ignore' },
    });
  },
});

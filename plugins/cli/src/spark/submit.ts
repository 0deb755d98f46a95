import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TaskContext, TaskDefinition } from '@millrace/plugin-kit';
import {
  choice,
  defineTask,
  flag,
  isStorageUri,
  listOf,
  mapOf,
  storageUri,
  text,
  toInnerPath,
} from '@millrace/plugin-kit';
import { cliProperties, cliTask, runScript, shellQuote } from '@millrace/plugin-scripts';
import { z } from 'zod';

const files = (what: string) =>
  mapOf(text())
    .default({})
    .describe(`${what}: a map from file name to a URI of internal storage or to text.`);

const submitProperties = () => ({
  master: text().describe(
    'The master of the cluster, such as `spark://spark.example.com:7077` or `local[*]`.',
  ),
  name: text().optional().describe('The name of the application.'),
  args: listOf(text()).default([]).describe('The arguments of the application.'),
  appFiles: files('Files for the working directory of each executor'),
  verbose: flag().default(false).describe('Log more.'),
  configurations: mapOf(text())
    .default({})
    .describe('Settings of Spark, such as `spark.executor.memory: 2g`.'),
  deployMode: choice(['CLIENT', 'CLUSTER']).default('CLIENT').describe('Where the driver runs.'),
  sparkSubmitPath: text().default('/opt/spark/bin/spark-submit').describe('The program `spark-submit`.'),
  ...cliProperties('apache/spark:4.0.1-java21-r'),
});
const Submit = z.object(submitProperties());
type Submit = z.infer<typeof Submit>;

interface Parts {
  /** Options of this kind of application. */
  readonly options: readonly string[];
  readonly main: string;
}

async function submit(context: TaskContext, input: Submit, { options, main }: Parts) {
  const appFiles = await writeFiles(context, input.appFiles);
  const option = (name: string, value: string | undefined) =>
    value === undefined ? [] : [name, shellQuote(value)];
  const words = [
    shellQuote(input.sparkSubmitPath),
    ...option('--master', input.master),
    ...option('--name', input.name),
    ...option('--deploy-mode', input.deployMode.toLowerCase()),
    ...Object.entries(input.configurations).flatMap(([key, value]) => option('--conf', `${key}=${value}`)),
    ...option('--files', appFiles.length > 0 ? appFiles.join(',') : undefined),
    ...(input.verbose ? ['--verbose'] : []),
    ...options,
    shellQuote(main),
    ...input.args.map(shellQuote),
  ];
  return runScript(context, input, { lines: [words.join(' ')] });
}

/** Writes the files into the working directory and returns their names. */
async function writeFiles(context: TaskContext, map: Readonly<Record<string, string>>): Promise<string[]> {
  const folder = await context.workingDirectory();
  const names = [];
  for (const [name, content] of Object.entries(map)) {
    const path = toInnerPath(name);
    await writeFile(
      join(folder, path),
      isStorageUri(content) ? await context.files.read(content.trim()) : content,
    );
    names.push(path);
  }
  return names;
}

const example = (title: string, type: string, rest: string) => ({
  title,
  runs: false,
  code: `id: spark_${type.toLowerCase()}
namespace: company.team

tasks:
  - id: submit
    type: spark.${type}
    taskRunner:
      type: scripts.runner.docker.Docker
    master: spark://spark.example.com:7077
${rest}`,
});

const description = (what: string) =>
  `Submits ${what} to a Spark cluster with \`spark-submit\`, which must be on the worker or in the container of \`taskRunner\`, and waits for its end.`;

const script = (main: string) =>
  text().describe(`The ${main} code, or the URI of a file with it in internal storage.`);

const jarSubmit = defineTask({
  ...cliTask,
  type: 'spark.JarSubmit',
  title: 'Submit a Java or Scala application to Spark',
  description: description('a JAR file'),
  input: () =>
    z.object({
      ...submitProperties(),
      mainResource: storageUri().describe(
        'The JAR file: a URI of internal storage, or an address that Spark reads.',
      ),
      mainClass: text().describe('The class to run.'),
      jars: files('More JAR files'),
    }),
  examples: [
    example(
      'Run a class of a JAR file.',
      'JarSubmit',
      `    mainResource: https://repository.example.com/shop/report-1.4.jar
    mainClass: com.example.Report
`,
    ),
  ],
  async run(context, input) {
    const main = isStorageUri(input.mainResource)
      ? ((await writeFiles(context, { 'app.jar': input.mainResource }))[0] ?? '')
      : input.mainResource;
    const jars = await writeFiles(context, input.jars);
    const options = [
      '--class',
      shellQuote(input.mainClass),
      ...(jars.length > 0 ? ['--jars', shellQuote(jars.join(','))] : []),
    ];
    return submit(context, input, { options, main });
  },
});

const pythonSubmit = defineTask({
  ...cliTask,
  type: 'spark.PythonSubmit',
  title: 'Submit a Python script to Spark',
  description: description('a Python script'),
  input: () =>
    z.object({
      ...submitProperties(),
      mainScript: script('Python'),
      pythonFiles: files('More Python files'),
    }),
  examples: [
    example(
      'Count rows.',
      'PythonSubmit',
      `    mainScript: |
      from pyspark.sql import SparkSession
      print(SparkSession.builder.getOrCreate().range(10).count())
`,
    ),
  ],
  async run(context, input) {
    const [main = ''] = await writeFiles(context, { 'app.py': input.mainScript });
    const more = await writeFiles(context, input.pythonFiles);
    return submit(context, input, {
      options: more.length > 0 ? ['--py-files', shellQuote(more.join(','))] : [],
      main,
    });
  },
});

const rSubmit = defineTask({
  ...cliTask,
  type: 'spark.RSubmit',
  title: 'Submit an R script to Spark',
  description: description('an R script'),
  input: () => z.object({ ...submitProperties(), mainScript: script('R') }),
  examples: [
    example(
      'Start a session.',
      'RSubmit',
      `    mainScript: |
      library(SparkR, lib.loc = c(file.path(Sys.getenv("SPARK_HOME"), "R", "lib")))
      sparkR.session()
`,
    ),
  ],
  async run(context, input) {
    const [main = ''] = await writeFiles(context, { 'app.R': input.mainScript });
    return submit(context, input, { options: [], main });
  },
});

export const sparkSubmits: readonly TaskDefinition[] = [jarSubmit, pythonSubmit, rSubmit];

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TaskContext } from '@millrace/plugin-kit';
import {
  anything,
  defineTask,
  deprecated,
  fixed,
  flag,
  listOf,
  mapOf,
  ownPrefix,
  TaskFailed,
  text,
  warning,
  writeInside,
} from '@millrace/plugin-kit';
import { cliProperties, cliTask, runCommands, shellQuote } from '@millrace/plugin-scripts';
import { stringify } from 'yaml';
import { z } from 'zod';

const resultFile = `${ownPrefix}soda-result.json`;

/** Runs a scan of Soda Core and writes its result, because the command line has no such option without Soda Cloud. */
const program = `
import json
import sys

from soda.scan import Scan

with open("${ownPrefix}soda-options.json") as file:
    options = json.load(file)
scan = Scan()
scan.set_scan_definition_name("millrace")
scan.set_data_source_name(options["dataSource"])
scan.add_configuration_yaml_file("configuration.yml")
scan.add_sodacl_yaml_file("checks.yml")
scan.add_variables(options["variables"])
scan.set_verbose(options["verbose"])
scan.execute()
with open("${resultFile}", "w") as file:
    json.dump(scan.build_scan_results(), file, default=str)
`;

const list = z
  .array(z.unknown())
  .nullish()
  .transform((value) => value ?? []);
const Metric = z.looseObject({ identity: z.string(), metricName: z.string().nullish(), value: z.unknown() });
const Check = z.looseObject({ name: z.string().nullish(), outcome: z.string().nullish() });
const ScanResult = z.looseObject({
  hasErrors: z.boolean().default(false),
  hasWarnings: z.boolean().default(false),
  hasFailures: z.boolean().default(false),
  metrics: z.array(Metric).default([]),
  checks: z.array(Check).default([]),
  automatedMonitoringChecks: list,
  profiling: list,
  metadata: list,
});

export const sodaScan = defineTask({
  ...cliTask,
  type: 'soda.Scan',
  title: 'Check data with Soda',
  description: `Runs the checks of Soda Core against the first data source of \`configuration\`. The task fails when checks fail, and ends in
WARNING when checks warn. Every number that Soda measures is a metric of the task. Python with the package of your data source must be on
the worker or in the container of \`taskRunner\`; \`requirements\` are installed first.`,
  input: () =>
    z.object({
      checks: mapOf(anything()).describe('The checks in the language of Soda, by data set.'),
      configuration: mapOf(anything()).describe('The configuration of Soda with its data sources.'),
      variables: mapOf(anything()).default({}).describe('Variables of the checks.'),
      verbose: flag().default(false).describe('Log more.'),
      requirements: listOf(text())
        .default([])
        .describe('Packages to install first, such as `soda-core-postgres`.'),
      dockerOptions: deprecated(fixed(mapOf(anything())).optional(), 'use `taskRunner`.'),
      ...cliProperties('sodadata/soda-core'),
    }),
  output: z.object({
    result: z
      .record(z.string(), z.unknown())
      .describe('The result of the scan: `checks`, `metrics`, `hasFailures` and the rest.'),
    stdOutLineCount: z.number().describe('How many lines were written to standard output.'),
    stdErrLineCount: z.number().describe('How many lines were written to standard error.'),
    exitCode: z.number().nullable().describe('How the process ended.'),
    configuration: z.record(z.string(), z.unknown()).describe('The configuration, without its secrets.'),
  }),
  examples: [
    {
      title: 'Check a table every morning.',
      runs: false,
      code: `id: soda_scan
namespace: company.team

tasks:
  - id: scan
    type: soda.Scan
    taskRunner:
      type: scripts.runner.docker.Docker
    requirements:
      - soda-core-postgres
    configuration:
      data_source shop:
        type: postgres
        host: database.example.com
        username: robot
        password: "{{ secret('DATABASE_PASSWORD') }}"
        database: shop
    checks:
      checks for orders:
        - row_count > 0
        - missing_count(customer_id) = 0
`,
    },
  ],
  async run(context, input) {
    const folder = await context.workingDirectory();
    const dataSource = Object.keys(input.configuration).flatMap(
      (key) => /^data_source\s+(.+)$/.exec(key)?.[1] ?? [],
    )[0];
    if (dataSource === undefined)
      throw new TaskFailed('"configuration" has no data source; expected a key like `data_source shop`.', {
        retry: false,
      });
    await writeInside(folder, 'configuration.yml', stringify(input.configuration));
    await writeInside(folder, 'checks.yml', stringify(input.checks));
    const options = { dataSource, verbose: input.verbose, variables: textsOf(input.variables) };
    await writeInside(folder, `${ownPrefix}soda-options.json`, JSON.stringify(options));
    const names = input.requirements.map(shellQuote).join(' ');
    const end = await runCommands(
      context,
      { ...input, docker: input.docker ?? input.dockerOptions },
      {
        lines: [
          ...(names === ''
            ? []
            : [
                `python3 -m venv ${ownPrefix}venv`,
                `. ${ownPrefix}venv/bin/activate`,
                `pip install -q ${names}`,
              ]),
          "python3 '{file}'",
        ],
        file: { extension: '.py', code: program },
        env: { PYTHONUNBUFFERED: 'true', PIP_ROOT_USER_ACTION: 'ignore' },
      },
    );
    const outputs = {
      stdOutLineCount: end.lineCounts.stdout,
      stdErrLineCount: end.lineCounts.stderr,
      exitCode: end.outputs.exitCode,
      configuration: redacted(input.configuration),
    };
    if (end.failure !== undefined) throw new TaskFailed(end.failure, { outputs });
    const result = ScanResult.parse(JSON.parse(await readFile(join(folder, resultFile), 'utf8')));
    report(context, result.metrics);
    const all = { ...outputs, result: { ...result } };
    if (result.hasWarnings && !result.hasFailures && !result.hasErrors) return warning(all);
    if (result.hasFailures || result.hasErrors)
      throw new TaskFailed(describeFailure(result.checks), { outputs: all, retry: false });
    return all;
  },
});

const textsOf = (map: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, String(value)]));

function report(context: TaskContext, metrics: readonly z.infer<typeof Metric>[]): void {
  for (const { identity, value } of metrics)
    if (typeof value === 'number') context.metric({ name: identity, type: 'counter', value });
}

function describeFailure(checks: readonly z.infer<typeof Check>[]): string {
  const failed = checks.filter(({ outcome }) => outcome === 'fail').map(({ name }) => `"${name ?? 'check'}"`);
  return failed.length > 0
    ? `The data failed ${failed.length} checks: ${failed.join(', ')}.`
    : 'The scan had errors; see the log.';
}

/** Values whose key names a secret are not returned. */
function redacted(configuration: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(configuration).map(([key, value]) => {
      if (/password|secret|token|key|credential/i.test(key) && typeof value !== 'object')
        return [key, '******'];
      const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
      return [key, isMap ? redacted(value as Record<string, unknown>) : value]; // a map was checked for
    }),
  );
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TaskDefinition } from '@millrace/plugin-kit';
import {
  anything,
  defineTask,
  deprecated,
  fixed,
  flag,
  integer,
  listOf,
  mapOf,
  text,
  textOrJson,
  writeInside,
} from '@millrace/plugin-kit';
import { cliProperties, cliTask, runScript, shellQuote } from '@millrace/plugin-scripts';
import { z } from 'zod';
import { metrics } from './metrics.ts';
import { runDbt } from './runDbt.ts';

const dockerOptions = () =>
  deprecated(
    fixed(mapOf(anything())).optional(),
    'use `taskRunner`. Holds the properties of the Docker task runner.',
  );

const properties = () => ({
  ...cliProperties('ghcr.io/kestra-io/dbt'),
  dockerOptions: dockerOptions(),
  failFast: flag().default(false).describe('Stop at the first node that fails.'),
  warnError: flag().default(false).describe('Treat warnings as errors.'),
  debug: flag().default(false).describe('Log more.'),
  projectDir: text().optional().describe('The folder of the dbt project in the working directory.'),
  dbtPath: text()
    .default('./bin/dbt')
    .describe('The program, such as the one that `dbt.cli.Setup` installed.'),
  profiles: text().optional().describe('The content of `profiles.yml`.'),
  parseRunResults: flag().default(true).describe('Show the nodes of the run and keep its result files.'),
  thread: integer({ min: 1 }).optional().describe('How many nodes run at the same time.'),
  fullRefresh: flag().default(false).describe('Build incremental models again from the start.'),
  target: text().optional().describe('The target of the profile.'),
  selector: text().optional().describe('A selector of `selectors.yml`.'),
  select: listOf(text()).optional().describe('The nodes to run.'),
  exclude: listOf(text()).optional().describe('The nodes to leave out.'),
});

interface Legacy {
  readonly name: string;
  readonly title: string;
  readonly command: string;
  /** Whether the command supports `--full-refresh`, and `--select` with its related options. */
  readonly refreshes?: boolean;
  readonly selects?: boolean;
}

const folder = '.profile';

function defineLegacy({ name, title, command, refreshes = false, selects = true }: Legacy): TaskDefinition {
  return defineTask({
    ...cliTask,
    type: `dbt.cli.${name}`,
    deprecated: true,
    title,
    description: `Runs \`dbt ${command}\`. The older form of \`dbt.cli.DbtCLI\`, kept for flows that use it.`,
    input: () => z.object(properties()),
    metrics,
    examples: [
      {
        title: 'As it was written.',
        runs: false,
        code: `id: dbt_${name.toLowerCase()}
namespace: company.team

tasks:
  - id: work
    type: core.flow.WorkingDirectory
    tasks:
      - id: clone
        type: git.Clone
        url: https://github.com/company/dbt-project

      - id: dbt
        type: dbt.cli.${name}
        dbtPath: dbt
        profiles: |
          shop:
            target: dev
            outputs:
              dev:
                type: duckdb
                path: shop.duckdb
`,
      },
    ],
    async run(context, input) {
      const working = await context.workingDirectory();
      if (input.profiles !== undefined) await writeInside(working, `${folder}/profiles.yml`, input.profiles);
      const hasProfiles = existsSync(join(working, folder, 'profiles.yml'));
      const option = (option: string, value: string | number | undefined) =>
        value === undefined ? [] : [option, shellQuote(String(value))];
      const list = (option: string, values: readonly string[] | undefined) =>
        values?.length ? [option, ...values.map(shellQuote)] : [];
      const line = [
        input.dbtPath,
        ...(input.debug ? ['--debug'] : []),
        ...(input.failFast ? ['--fail-fast'] : []),
        ...(input.warnError ? ['--warn-error'] : []),
        ...['--log-format', 'json', '--log-path', 'logs'],
        command,
        ...option('--profiles-dir', hasProfiles ? join(working, folder) : undefined),
        ...option('--project-dir', input.projectDir),
        ...option('--target', input.target),
        ...(selects ? option('--threads', input.thread) : []),
        ...(refreshes && input.fullRefresh ? ['--full-refresh'] : []),
        ...(selects ? option('--selector', input.selector) : []),
        ...(selects ? list('--select', input.select) : []),
        ...(selects ? list('--exclude', input.exclude) : []),
      ].join(' ');
      const docker = input.docker ?? input.dockerOptions;
      const script = { ...input, failFast: true, docker };
      const { projectDir, parseRunResults } = input;
      return runDbt(context, script, { lines: [line], projectDir, parseRunResults });
    },
  });
}

const setup = defineTask({
  ...cliTask,
  type: 'dbt.cli.Setup',
  deprecated: true,
  title: 'Install dbt into the working directory',
  description: `Makes a Python environment in the working directory, installs the requirements into it, and writes \`profiles.yml\`. The
older dbt tasks in the same WorkingDirectory then use \`./bin/dbt\`. Newer flows use \`dbt.cli.DbtCLI\` with \`beforeCommands\`.`,
  input: () =>
    z.object({
      ...cliProperties('python'),
      dockerOptions: dockerOptions(),
      profiles: textOrJson().describe('The content of `profiles.yml`, as text or as a map.'),
      pythonPath: text().default('python').describe('The Python that makes the environment.'),
      requirements: listOf(text(), { min: 1 }).describe('Packages to install, such as `dbt-duckdb`.'),
      exitOnFailed: deprecated(flag().default(true), 'use `failFast`.'),
    }),
  examples: [
    {
      title: 'As it was written.',
      runs: false,
      code: `id: dbt_setup
namespace: company.team

tasks:
  - id: work
    type: core.flow.WorkingDirectory
    tasks:
      - id: clone
        type: git.Clone
        url: https://github.com/company/dbt-project

      - id: setup
        type: dbt.cli.Setup
        requirements:
          - dbt-duckdb
        profiles:
          shop:
            target: dev
            outputs:
              dev:
                type: duckdb
                path: shop.duckdb

      - id: build
        type: dbt.cli.Build
`,
    },
  ],
  async run(context, input) {
    // JSON is YAML as well.
    await writeInside(await context.workingDirectory(), `${folder}/profiles.yml`, input.profiles);
    const names = input.requirements.map(shellQuote).join(' ');
    return runScript(
      context,
      { ...input, docker: input.docker ?? input.dockerOptions },
      {
        lines: [
          // Runners copy files, not links, so a linked interpreter would be missing in the next task.
          `${input.pythonPath} -m venv --copies .`,
          `./bin/python -m pip install -q --disable-pip-version-check ${names}`,
        ],
        env: { PYTHONUNBUFFERED: 'true', PIP_ROOT_USER_ACTION: 'ignore' },
      },
    );
  },
});

export const legacyCommands: readonly TaskDefinition[] = [
  defineLegacy({ name: 'Build', title: 'Build a dbt project', command: 'build', refreshes: true }),
  defineLegacy({ name: 'Compile', title: 'Compile a dbt project', command: 'compile', refreshes: true }),
  defineLegacy({
    name: 'Deps',
    title: 'Install the packages of a dbt project',
    command: 'deps',
    selects: false,
  }),
  defineLegacy({ name: 'Freshness', title: 'Check how fresh dbt sources are', command: 'source freshness' }),
  defineLegacy({ name: 'List', title: 'List the nodes of a dbt project', command: 'list' }),
  defineLegacy({ name: 'Run', title: 'Run dbt models', command: 'run', refreshes: true }),
  defineLegacy({ name: 'Seed', title: 'Load dbt seeds', command: 'seed', refreshes: true }),
  defineLegacy({ name: 'Snapshot', title: 'Take dbt snapshots', command: 'snapshot' }),
  defineLegacy({ name: 'Test', title: 'Run dbt tests', command: 'test' }),
  setup,
];

import type { TaskContext } from '@millrace/plugin-kit';
import { choice, defineTask, flag, part, text, writeInside } from '@millrace/plugin-kit';
import { cliProperties, cliTask, commandsProperty, shellQuote } from '@millrace/plugin-scripts';
import { z } from 'zod';
import { metrics } from './metrics.ts';
import { runDbt } from './runDbt.ts';

const kvManifest = (what: string) =>
  part({
    key: text().describe('The key.'),
    namespace: text().describe('The namespace of the key-value store.'),
  })
    .optional()
    .describe(what);

export const dbtCli = defineTask({
  ...cliTask,
  type: 'dbt.cli.DbtCLI',
  title: 'Run dbt commands',
  description: `Runs dbt commands, and shows every model, test, seed and snapshot of the last run as a child task run with its own times
and state. \`run_results.json\` and \`manifest.json\` are kept as output files, also when dbt fails. A warning of dbt ends the task in
WARNING.

The program \`dbt\` with the adapter of your database must be on the worker, or \`taskRunner\` names a container or pod with it.
Commands that start with \`dbt\` get \`--project-dir\`, \`--log-format\` and \`--log-path\` unless they set them.`,
  input: () =>
    z.object({
      commands: commandsProperty(),
      profiles: text()
        .optional()
        .describe('The content of `profiles.yml`; a file of this name in the project is used when absent.'),
      projectDir: text().optional().describe('The folder of the dbt project in the working directory.'),
      parseRunResults: flag().default(true).describe('Show the nodes of the run and keep its result files.'),
      storeManifest: kvManifest(
        'Keep `manifest.json` in a key-value store after the run, for `state:modified`.',
      ),
      loadManifest: kvManifest(
        'Write a kept manifest to `target/manifest.json` of the project before the run, for `--state target`.',
      ),
      logFormat: choice(['JSON', 'TEXT', 'DEBUG', 'NONE'])
        .default('JSON')
        .describe(
          'The log format of dbt. JSON keeps the levels of log lines; NONE leaves the commands alone.',
        ),
      engine: choice(['CORE', 'FUSION'])
        .default('CORE')
        .describe('The engine that the program `dbt` is; both take the same commands.'),
      ...cliProperties('ghcr.io/kestra-io/dbt'),
    }),
  metrics,
  examples: [
    {
      title: 'Build a dbt project from Git in a container.',
      runs: false,
      code: `id: dbt_build
namespace: company.team

tasks:
  - id: work
    type: core.flow.WorkingDirectory
    tasks:
      - id: clone
        type: git.Clone
        url: https://github.com/company/dbt-project
        branch: main

      - id: dbt
        type: dbt.cli.DbtCLI
        taskRunner:
          type: scripts.runner.docker.Docker
        containerImage: ghcr.io/kestra-io/dbt-duckdb:latest
        commands:
          - dbt deps
          - dbt build
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
    const folder = await context.workingDirectory();
    if (input.profiles !== undefined) await writeInside(folder, 'profiles.yml', input.profiles);
    if (input.loadManifest) await loadManifest(context, folder, input.projectDir, input.loadManifest);
    const { storeManifest } = input;
    return runDbt(context, input, {
      lines: input.commands.map((line) => withOptions(line, input)),
      projectDir: input.projectDir,
      parseRunResults: input.parseRunResults,
      ...(input.profiles !== undefined && { env: { DBT_PROFILES_DIR: folder } }),
      ...(storeManifest && {
        onManifest: (content: string) =>
          context.kv.set(storeManifest.key, JSON.parse(content), {
            namespace: storeManifest.namespace,
            overwrite: true,
            type: 'JSON',
          }),
      }),
    });
  },
});

interface Options {
  readonly projectDir?: string | undefined;
  readonly logFormat: 'JSON' | 'TEXT' | 'DEBUG' | 'NONE';
}

/** Every dbt command of the line with the options that it does not set itself. */
export function withOptions(line: string, { projectDir, logFormat }: Options): string {
  const added: readonly (readonly [string, string | undefined])[] = [
    ['--project-dir', projectDir],
    ['--log-format', logFormat === 'NONE' ? undefined : logFormat.toLowerCase()],
    ['--log-path', logFormat === 'NONE' ? undefined : 'logs'],
  ];
  const complete = (command: string): string => {
    if (!/^\s*dbt\s/.test(command)) return command;
    const missing = added.filter(([name, value]) => value !== undefined && !command.includes(name));
    const options = missing.map(([name, value]) => `${name} ${shellQuote(value ?? '')}`);
    return [command.trimEnd(), ...options].join(' ');
  };
  return line
    .split('\n')
    .map((part) => part.split(' && ').map(complete).join(' && '))
    .join('\n');
}

async function loadManifest(
  context: TaskContext,
  folder: string,
  projectDir: string | undefined,
  { key, namespace }: { readonly key: string; readonly namespace: string },
): Promise<void> {
  const kept = await context.kv.get(key, namespace);
  if (kept === undefined) {
    await context.log('WARN', `There is no manifest under the key "${key}" of the namespace "${namespace}".`);
    return;
  }
  const content = typeof kept === 'string' ? kept : JSON.stringify(kept);
  await writeInside(folder, [projectDir, 'target/manifest.json'].filter(Boolean).join('/'), content);
}

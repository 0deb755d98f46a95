import type { TaskDefinition } from '@millrace/plugin-kit';
import { aTaskContext, realProcesses, runType, type TestContext } from '@millrace/plugin-kit/testing';
import { describe, expect, test } from 'vitest';
import { dbtCli, withOptions } from './dbtCli.ts';
import { legacyCommands } from './legacyCommands.ts';

const results = (generatedAt: string, statuses: Readonly<Record<string, string>>) =>
  JSON.stringify({
    metadata: { generated_at: generatedAt },
    results: Object.entries(statuses).map(([unique_id, status]) => ({
      unique_id,
      status,
      timing:
        status === 'skipped'
          ? []
          : [
              {
                name: 'compile',
                started_at: '2026-01-01T00:00:00.100Z',
                completed_at: '2026-01-01T00:00:00.200Z',
              },
              {
                name: 'execute',
                started_at: '2026-01-01T00:00:00.200Z',
                completed_at: '2026-01-01T00:00:03Z',
              },
            ],
      message: null,
      adapter_response: { rows_affected: 7, bytes_processed: -1 },
    })),
  });

const logLine = (level: string, msg: string, data: unknown = {}) =>
  JSON.stringify({ info: { level, msg }, data });

/** A fake dbt: it logs like dbt, prints its arguments and writes the files of a run. */
const program = (statuses: Readonly<Record<string, string>>, exitCode = 0, level = 'info') => `#!/bin/sh
echo '${logLine('info', 'Running with dbt')}'
echo "called: $*"
echo '${logLine(level, 'A message')}'
echo '${logLine('info', 'Done.', { stats: { pass: 2, warn: 1, error: 0 } })}'
mkdir -p target
printf '%s' '${results('GENERATED', statuses)}' | sed "s/GENERATED/$(date -u +%Y-%m-%dT%H:%M:%SZ)/" > target/run_results.json
printf '%s' '{"metadata": {"generated_at": "'$(date -u +%Y-%m-%dT%H:%M:%SZ)'"}, "nodes": {}}' > target/manifest.json
exit ${exitCode}
`;

const aContext = () => aTaskContext({ spawn: realProcesses });
const said = ({ logs }: TestContext) => logs.map(({ level, message }) => `${level} ${message}`);
const run = (context: TestContext, dbt: string, properties: Record<string, unknown> = {}) =>
  runType(
    dbtCli,
    {
      commands: ['dbt build'],
      inputFiles: { dbt },
      beforeCommands: ['chmod +x dbt', 'PATH="$PWD:$PATH"'],
      ...properties,
    },
    context,
  );

describe('dbt.cli.DbtCLI', () => {
  test('shows every node as a child task run with its times and metrics', async () => {
    const context = aContext();
    const statuses = {
      'model.shop.orders': 'success',
      'test.shop.unique': 'warn',
      'model.shop.late': 'skipped',
    };
    const { outputFiles } = await run(context, program(statuses));
    expect(context.taskRuns).toMatchObject([
      {
        taskId: 'model.shop.orders',
        state: 'SUCCESS',
        startedAt: Date.UTC(2026, 0, 1, 0, 0, 0, 100),
        endedAt: Date.UTC(2026, 0, 1, 0, 0, 3),
      },
      { taskId: 'test.shop.unique', state: 'WARNING' },
      { taskId: 'model.shop.late', state: 'SKIPPED' },
    ]);
    expect(Object.keys(outputFiles as object).sort()).toEqual(['manifest.json', 'run_results.json']);
    expect(context.metrics).toEqual(
      expect.arrayContaining([
        { name: 'log.stats.success', type: 'counter', value: 2 },
        { name: 'rows.affected', type: 'counter', value: 7, tags: { node: 'model.shop.orders' } },
      ]),
    );
    expect(context.metrics.some(({ name }) => name === 'bytes.processed')).toBe(false);
    expect(said(context)).toEqual(
      expect.arrayContaining([
        'INFO Running with dbt',
        'INFO called: build --log-format json --log-path logs',
      ]),
    );
  });

  test('keeps the results of a run that fails', async () => {
    const context = aContext();
    const failure = run(context, program({ 'model.shop.orders': 'error' }, 1, 'error'));
    await expect(failure).rejects.toThrow('Command failed with exit code 1');
    await failure.catch((error: unknown) =>
      expect(error).toMatchObject({ outputs: { outputFiles: { 'run_results.json': expect.any(String) } } }),
    );
    expect(context.taskRuns).toMatchObject([{ taskId: 'model.shop.orders', state: 'FAILED' }]);
    expect(said(context)).toContain('ERROR A message');
  });

  test('refuses a status that it does not know', async () => {
    await expect(run(aContext(), program({ 'model.a': 'strange' }))).rejects.toThrow(
      'unknown status "strange"',
    );
  });

  test('does not show the results of an earlier run', async () => {
    const context = aContext();
    const inputFiles = {
      dbt: '#!/bin/sh\n',
      'target/run_results.json': results('2020-01-01T00:00:00Z', { 'model.old': 'success' }),
    };
    expect(await run(context, '', { inputFiles })).toMatchObject({ outputFiles: {} });
    expect(context.taskRuns).toEqual([]);
  });

  test('writes profiles, and keeps and loads the manifest', async () => {
    const context = aContext();
    const kept = { key: 'manifest', namespace: 'company.team' };
    await run(context, program({}), { profiles: 'shop: {}\n', storeManifest: kept });
    expect(await context.kv.get('manifest', 'company.team')).toMatchObject({ nodes: {} });
    const commands = ['cat "$DBT_PROFILES_DIR/profiles.yml"', 'cat target/manifest.json'];
    const next = aTaskContext({ spawn: realProcesses });
    await next.kv.set(
      'manifest',
      { old: true },
      { namespace: 'company.team', overwrite: true, type: 'JSON' },
    );
    await run(next, '', { commands, profiles: 'shop: {}\n', loadManifest: kept });
    expect(said(next)).toEqual(['INFO shop: {}', 'INFO {"old":true}']);
    const empty = aContext();
    await run(empty, '#!/bin/sh\n', { loadManifest: { ...kept, key: 'none' } });
    expect(said(empty)[0]).toBe(
      'WARN There is no manifest under the key "none" of the namespace "company.team".',
    );
  });

  test.each([
    [
      'dbt deps && dbt build',
      {},
      "dbt deps --log-format 'json' --log-path 'logs' && dbt build --log-format 'json' --log-path 'logs'",
    ],
    [
      'dbt build',
      { projectDir: 'shop' },
      "dbt build --project-dir 'shop' --log-format 'json' --log-path 'logs'",
    ],
    [
      'dbt build --project-dir a --log-format text',
      { projectDir: 'b' },
      "dbt build --project-dir a --log-format text --log-path 'logs'",
    ],
    ['dbt build', { logFormat: 'NONE' as const }, 'dbt build'],
    ['echo dbt build', {}, 'echo dbt build'],
  ])('completes "%s" with %j', (line, options, expected) => {
    expect(withOptions(line, { logFormat: 'JSON', ...options })).toBe(expected);
  });
});

describe('the older dbt tasks', () => {
  const byName = (name: string) =>
    legacyCommands.find(({ type }) => type === `dbt.cli.${name}`) as TaskDefinition;

  test('Build makes the command from its properties', async () => {
    const context = aContext();
    await runType(
      byName('Build'),
      {
        dbtPath: './dbt',
        inputFiles: { dbt: program({ 'model.a': 'success' }) },
        beforeCommands: ['chmod +x dbt'],
        profiles: 'shop: {}',
        thread: 4,
        fullRefresh: true,
        target: 'dev',
        select: ['orders', 'tag:daily'],
        exclude: ['old'],
        failFast: true,
        warnError: true,
      },
      context,
    );
    const folder = await context.workingDirectory();
    expect(said(context)).toContain(
      `INFO called: --fail-fast --warn-error --log-format json --log-path logs build --profiles-dir ${folder}/.profile --target dev --threads 4 --full-refresh --select orders tag:daily --exclude old`,
    );
    expect(context.taskRuns).toMatchObject([{ taskId: 'model.a', state: 'SUCCESS' }]);
  });

  test.each([
    ['Deps', 'deps'],
    ['Compile', 'compile'],
    ['Freshness', 'source freshness'],
    ['List', 'list'],
    ['Run', 'run'],
    ['Seed', 'seed'],
    ['Snapshot', 'snapshot'],
    ['Test', 'test'],
  ])('%s runs "dbt %s"', async (name, command) => {
    const context = aContext();
    const inputFiles = { dbt: '#!/bin/sh\necho "called: $*"\n' };
    await runType(
      byName(name),
      { dbtPath: './dbt', inputFiles, beforeCommands: ['chmod +x dbt'], select: ['a'] },
      context,
    );
    const selected = name === 'Deps' ? '' : ' --select a';
    expect(said(context)).toEqual([`INFO called: --log-format json --log-path logs ${command}${selected}`]);
  });
});

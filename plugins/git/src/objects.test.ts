import { runType, storedRows } from '@millrace/plugin-kit/testing';
import { expect, test, vi } from 'vitest';
import { namespaceSync, tenantSync } from './namespaceSync.ts';
import { pushDashboards } from './pushDashboards.ts';
import { pushExecutionFiles } from './pushExecutionFiles.ts';
import { pushNamespaceFiles } from './pushNamespaceFiles.ts';
import { syncDashboards } from './syncDashboards.ts';
import { syncNamespaceFiles } from './syncNamespaceFiles.ts';
import { aFlow, aGitContext } from './testing/gitContext.ts';
import { aRepository } from './testing/repositories.ts';

// Each test runs many Git processes.
vi.setConfig({ testTimeout: 60_000 });

test('files of Git go to the namespace: added, overwritten, unchanged, deleted, ignored', async () => {
  const repository = await aRepository();
  await repository.commit({
    '_files/same.txt': 'same',
    '_files/changed.txt': 'new',
    '_files/sub/new.txt': 'new',
    '_files/.gitkeep': '',
    '_files/.kestraignore': '# comment\n*.tmp\nbuild/\n',
    '_files/x.tmp': 'x',
    '_files/build/out.txt': 'x',
  });
  const context = aGitContext();
  for (const [path, content] of Object.entries({ 'same.txt': 'same', 'changed.txt': 'old', 'gone.txt': 'x' }))
    await context.namespaceFiles.write('company.team', path, content);
  const properties = { url: repository.url, delete: true };
  const dry = await runType(syncNamespaceFiles, { ...properties, dryRun: true }, context);
  expect(await context.namespaceFiles.list('company.team')).toEqual(['same.txt', 'changed.txt', 'gone.txt']);
  const { files } = await runType(syncNamespaceFiles, properties, context);
  const rows = await storedRows(context, files);
  expect(rows).toEqual(await storedRows(context, dry.files));
  expect(rows).toEqual([
    { gitPath: '_files/changed.txt', kestraPath: 'changed.txt', syncState: 'OVERWRITTEN' },
    { gitPath: '_files/same.txt', kestraPath: 'same.txt', syncState: 'UNCHANGED' },
    { gitPath: '_files/sub/new.txt', kestraPath: 'sub/new.txt', syncState: 'ADDED' },
    { gitPath: null, kestraPath: 'gone.txt', syncState: 'DELETED' },
  ]);
  expect(await context.namespaceFiles.list('company.team')).toEqual([
    'same.txt',
    'changed.txt',
    'sub/new.txt',
  ]);
});

test('files of a namespace are pushed by glob, and only matching files of Git are removed', async () => {
  const repository = await aRepository();
  await repository.commit({ '_files/old.sh': 'x', '_files/old.txt': 'x' });
  const context = aGitContext();
  await context.namespaceFiles.write('company.team', 'run.sh', 'echo');
  await context.namespaceFiles.write('company.team', 'data.bin', Buffer.from([0, 255, 10]));
  const properties = { url: repository.url, files: ['**.sh'] };
  await runType(pushNamespaceFiles, properties, context);
  expect(await repository.files()).toEqual(['README.md', '_files/old.txt', '_files/run.sh']);
  await runType(pushNamespaceFiles, { url: repository.url, delete: false }, context);
  expect(await repository.files()).toContain('_files/data.bin');
  const nothing = { ...properties, files: 'nope', errorOnMissing: true };
  await expect(runType(pushNamespaceFiles, nothing, context)).rejects.toThrow('No file of the namespace');
});

test('output files of the execution replace those that match the globs, and other files stay', async () => {
  const repository = await aRepository();
  await repository.commit({ '_outputs/old.txt': 'x', '_outputs/other.md': 'x' });
  const base = aGitContext();
  const [report, data] = [await base.files.put('r', 'report'), await base.files.put('data.csv', 'a,b')];
  const context = aGitContext({
    variables: { outputs: { script: { outputFiles: { 'out/report.txt': report } }, write: { uri: data } } },
  });
  for (const [path, bytes] of base.files.byPath) context.files.byPath.set(path, bytes);
  const properties = { url: repository.url, filesMap: { 'latest/data.csv': data }, files: ['*.txt'] };
  await runType(pushExecutionFiles, properties, context);
  expect(await repository.files()).toEqual([
    'README.md',
    '_outputs/latest/data.csv',
    '_outputs/other.md',
    '_outputs/out/report.txt',
  ]);
  await runType(pushExecutionFiles, { url: repository.url, files: ['*.md'] }, context);
  expect(await repository.files()).toContain('_outputs/other.md');
});

test('dashboards go to Git and come back', async () => {
  const repository = await aRepository();
  const context = aGitContext();
  await context.dashboards.save('sales', 'id: sales\ntitle: Sales\ncharts: []\n');
  await runType(pushDashboards, { url: repository.url }, context);
  expect(await repository.files()).toContain('_dashboards/sales.yml');
  await repository.commit({ '_dashboards/ops.yml': 'title: Operations\ncharts: []\n' });
  await context.dashboards.save('gone', 'id: gone\ntitle: Gone\n');
  const { dashboards } = await runType(syncDashboards, { url: repository.url, delete: true }, context);
  expect(await storedRows(context, dashboards)).toEqual([
    { gitPath: '_dashboards/ops.yml', dashboardId: 'ops', syncState: 'ADDED' },
    { gitPath: '_dashboards/sales.yml', dashboardId: 'sales', syncState: 'UNCHANGED' },
    { gitPath: null, dashboardId: 'gone', syncState: 'DELETED' },
  ]);
  expect(context.dashboards.byId.get('ops')?.source).toBe('id: ops\ntitle: Operations\ncharts: []\n');
});

test('a namespace is written to Git and read from Git', async () => {
  const repository = await aRepository();
  const context = aGitContext();
  await context.flows.save(aFlow('one', 'company.team'));
  await context.namespaceFiles.write('company.team', 'a.txt', 'a');
  const properties = {
    url: repository.url,
    branch: 'main',
    namespace: 'company.team',
    gitDirectory: 'state',
  };
  const pushed = await runType(namespaceSync, properties, context);
  expect(pushed.commitId).toBeDefined();
  expect(await storedRows(context, pushed.diff)).toEqual([
    { file: 'state/company.team/flows/one.yml', key: 'company.team/one', kind: 'FLOW', action: 'ADDED' },
    { file: 'state/company.team/files/a.txt', key: 'company.team/a.txt', kind: 'FILE', action: 'ADDED' },
  ]);
  await repository.commit({
    'state/company.team/flows/one.yml': aFlow('one', 'company.team', 'changed'),
    'state/company.team/files/a.txt': null,
    'state/company.team/flows/bad.yml': 'id: bad\n',
  });
  const fromGit = { ...properties, sourceOfTruth: 'GIT' };
  await expect(runType(namespaceSync, fromGit, context)).rejects.toThrow(
    'Nothing was changed: state/company.team',
  );
  await expect(
    runType(namespaceSync, { ...fromGit, onInvalidSyntax: 'SKIP', whenMissingInSource: 'FAIL' }, context),
  ).rejects.toThrow('file "company.team/a.txt" is missing in Git');
  const kept = { ...fromGit, onInvalidSyntax: 'WARN', protectedNamespaces: ['company'] };
  const first = await runType(namespaceSync, kept, context);
  expect(await storedRows(context, first.diff)).toMatchObject([
    { key: 'company.team/bad', action: 'SKIPPED' },
    { key: 'company.team/one', action: 'UPDATED' },
    { key: 'company.team/a.txt', action: 'KEPT' },
  ]);
  expect((await context.flows.find('company.team', 'one'))?.source).toContain('changed');
  await runType(namespaceSync, { ...fromGit, onInvalidSyntax: 'SKIP' }, context);
  expect(await context.namespaceFiles.list('company.team')).toEqual([]);
});

test('everything is written to Git; another server takes it over', async () => {
  const repository = await aRepository({ empty: true });
  const context = aGitContext();
  await context.flows.save(aFlow('one', 'company.team'));
  await context.flows.save(aFlow('two', 'other'));
  await context.dashboards.save('sales', 'id: sales\ntitle: Sales\n');
  const properties = { url: repository.url, branch: 'main' };
  const dry = await runType(tenantSync, { ...properties, dryRun: true }, context);
  expect([dry.commitId, (await storedRows(context, dry.diff)).length]).toEqual([undefined, 3]);
  await runType(tenantSync, properties, context);
  expect(await repository.files()).toEqual([
    '_global/dashboards/sales.yml',
    'company.team/flows/one.yml',
    'other/flows/two.yml',
  ]);
  const other = aGitContext();
  await other.flows.save(aFlow('old', 'other'));
  await other.flows.save(aFlow('keep', 'system'));
  await runType(tenantSync, { ...properties, sourceOfTruth: 'GIT' }, other);
  expect([...other.flows.byName.keys()].sort()).toEqual(['company.team/one', 'other/two', 'system/keep']);
  expect([...other.dashboards.byId.keys()]).toEqual(['sales']);
});

import { realProcesses, runType, storedRows } from '@millrace/plugin-kit/testing';
import { expect, test, vi } from 'vitest';
import { push } from './push.ts';
import { pushFlows } from './pushFlows.ts';
import { sync } from './sync.ts';
import { syncFlow } from './syncFlow.ts';
import { syncFlows } from './syncFlows.ts';
import { aFlow, aGitContext } from './testing/gitContext.ts';
import { aRepository } from './testing/repositories.ts';

// Each test runs many Git processes.
vi.setConfig({ testTimeout: 60_000 });

const files = {
  '_flows/one.yml': aFlow('one'),
  '_flows/sales/eu/two.yaml': aFlow('two'),
  '_flows/notes.txt': 'no flow',
};

test('flows of Git are saved in the target namespace, with those of sub-folders when asked for', async () => {
  const repository = await aRepository();
  await repository.commit(files);
  const context = aGitContext();
  const properties = { url: repository.url, targetNamespace: 'company.team' };
  const first = await runType(syncFlows, properties, context);
  expect(await storedRows(context, first.flows)).toEqual([
    { gitPath: '_flows/one.yml', syncState: 'ADDED', flowId: 'one', namespace: 'company.team', revision: 1 },
  ]);
  expect((await context.flows.find('company.team', 'one'))?.source).toContain('namespace: company.team\n');
  const second = await runType(syncFlows, { ...properties, includeChildNamespaces: true }, context);
  expect(await storedRows(context, second.flows)).toMatchObject([
    { flowId: 'one', syncState: 'UNCHANGED' },
    { flowId: 'two', syncState: 'ADDED', namespace: 'company.team.sales.eu' },
  ]);
});

test('a dry run lists additions, updates and deletions and changes nothing', async () => {
  const repository = await aRepository();
  await repository.commit(files);
  const context = aGitContext();
  await context.flows.save(aFlow('one', 'company.team', 'older'));
  await context.flows.save(aFlow('old', 'company.team'));
  await context.flows.save(aFlow('a_flow', 'company.team'));
  const properties = { url: repository.url, targetNamespace: 'company.team', delete: true };
  const before = [...context.flows.byName.values()];
  const { flows } = await runType(syncFlows, { ...properties, dryRun: true }, context);
  const rows = await storedRows(context, flows);
  expect(rows).toMatchObject([
    { flowId: 'one', syncState: 'UPDATED', revision: 2 },
    { flowId: 'old', syncState: 'DELETED', gitPath: null },
  ]);
  expect([...context.flows.byName.values()]).toEqual(before);
  await runType(syncFlows, properties, context);
  // The flow that runs the task stays.
  expect([...context.flows.byName.keys()].sort()).toEqual(['company.team/a_flow', 'company.team/one']);
});

test('an invalid flow stops the sync before anything is saved, or is skipped with a warning', async () => {
  const repository = await aRepository();
  await repository.commit({ ...files, '_flows/zero.yml': 'id: zero\n' });
  const context = aGitContext();
  const properties = { url: repository.url, targetNamespace: 'company.team' };
  await expect(runType(syncFlows, properties, context)).rejects.toThrow('_flows/zero.yml: tasks');
  expect(context.flows.byName.size).toBe(0);
  await runType(syncFlows, { ...properties, ignoreInvalidFlows: true }, context);
  expect(context.flows.byName.size).toBe(1);
  expect(context.logs).toContainEqual(expect.objectContaining({ level: 'WARN' }));
});

test('a missing folder or branch fails, or the folder counts as empty', async () => {
  const { url } = await aRepository();
  const properties = { url, targetNamespace: 'company.team' };
  await expect(runType(syncFlows, properties, aGitContext())).rejects.toThrow('"_flows" does not exist');
  await expect(runType(syncFlows, { ...properties, branch: 'x' }, aGitContext())).rejects.toThrow(
    'has no branch "x"; it has: main',
  );
  await runType(syncFlows, { ...properties, failOnMissingDirectory: false }, aGitContext());
});

test('one flow is saved by its path', async () => {
  const repository = await aRepository();
  await repository.commit(files);
  const context = aGitContext();
  const properties = { url: repository.url, targetNamespace: 'prod', flowPath: '_flows/sales/eu/two.yaml' };
  const outputs = { flowId: 'two', namespace: 'prod', revision: 1 };
  expect(await runType(syncFlow, { ...properties, dryRun: true }, context)).toEqual(outputs);
  expect(context.flows.byName.size).toBe(0);
  expect(await runType(syncFlow, properties, context)).toEqual(outputs);
  await expect(runType(syncFlow, { ...properties, flowPath: 'x.yml' }, context)).rejects.toThrow('"x.yml"');
});

test('flows are pushed and come back the same', async () => {
  const repository = await aRepository();
  await repository.commit({ '_flows/gone.yml': aFlow('gone'), '_flows/other.txt': 'stays' });
  const context = aGitContext();
  await context.flows.save(`revision: 3\n${aFlow('one', 'company.team')}`);
  await context.flows.save(aFlow('two', 'company.team.sales'));
  const properties = {
    url: repository.url,
    includeChildNamespaces: true,
    targetNamespace: 'prod',
    authorName: 'Ada',
    authorEmail: 'ada@example.com',
  };
  const dry = await runType(pushFlows, { ...properties, dryRun: true }, context);
  expect(dry.commitId).toBeUndefined();
  expect(await repository.files()).toContain('_flows/gone.yml');
  const outputs = await runType(pushFlows, properties, context);
  expect(await storedRows(context, outputs.flows)).toContainEqual({
    file: '_flows/one.yml',
    additions: '+7',
    deletions: '-0',
    changes: '7',
  });
  expect(await storedRows(context, dry.flows)).toEqual(await storedRows(context, outputs.flows));
  expect(await repository.files()).toEqual([
    'README.md',
    '_flows/one.yml',
    '_flows/other.txt',
    '_flows/sales/two.yml',
  ]);
  expect(await repository.show('_flows/sales/two.yml')).toContain('namespace: prod.sales');
  expect(await repository.show('_flows/one.yml')).not.toContain('revision');
  expect(await repository.log()).toBe('Ada|ada@example.com|Add flows from company.team namespace');
  expect((await runType(pushFlows, properties, context)).commitId).toBeUndefined();
  const other = aGitContext();
  await runType(
    syncFlows,
    { url: repository.url, targetNamespace: 'prod', includeChildNamespaces: true },
    other,
  );
  expect([...other.flows.byName.keys()].sort()).toEqual(['prod.sales/two', 'prod/one']);
});

test('a branch is created in an empty repository and beside the default branch', async () => {
  for (const empty of [true, false]) {
    const repository = await aRepository({ empty });
    const context = aGitContext();
    await context.flows.save(aFlow('one', 'company.team'));
    await runType(pushFlows, { url: repository.url, branch: 'deploy/eu', flows: 'o*' }, context);
    expect(await repository.files('deploy/eu')).toContain('_flows/one.yml');
  }
});

test('a push that comes too late fails in plain words and loses no commit of either side', async () => {
  const repository = await aRepository();
  const context = aGitContext({
    // Someone else pushes between the checkout and the push.
    spawn: async (request) => {
      if (request.command[1] === 'push') await repository.commit({ 'theirs.txt': 'theirs' });
      return realProcesses(request);
    },
  });
  await context.flows.save(aFlow('one', 'company.team'));
  await expect(runType(pushFlows, { url: repository.url }, context)).rejects.toThrow(
    /was rejected and nothing was changed there/,
  );
  expect(await repository.files()).toEqual(['README.md', 'theirs.txt']);
  expect(await context.flows.find('company.team', 'one')).toBeDefined();
  const again = aGitContext();
  await again.flows.save(aFlow('one', 'company.team'));
  await runType(pushFlows, { url: repository.url }, again);
  expect(await repository.files()).toEqual(['README.md', '_flows/one.yml', 'theirs.txt']);
});

test('the older Push replaces the branch, and the older Sync reads flows and files', async () => {
  const repository = await aRepository();
  const context = aGitContext();
  await context.flows.save(aFlow('one', 'company.team'));
  const properties = {
    url: repository.url,
    branch: 'main',
    commitMessage: 'all',
    inputFiles: { 'a/b.txt': 'x' },
  };
  expect((await runType(push, properties, context)).commitId).toMatch(/^[0-9a-f]{40}$/);
  expect(await repository.files()).toEqual(['_flows/company.team.one.yml', 'a/b.txt']);
  expect(await runType(push, properties, context)).toEqual({});
  const other = aGitContext();
  await runType(sync, { url: repository.url, namespaceFilesDirectory: 'in' }, other);
  expect(await other.namespaceFiles.list('company.team')).toEqual(['in/a/b.txt']);
  expect([...other.flows.byName.keys()]).toEqual(['company.team/one']);
});

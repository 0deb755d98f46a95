import { defineTask, type TaskContext, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { checkOut } from './checkout.ts';
import { GitFolder } from './gitFolder.ts';
import { commitOutput, twoWayProperties } from './gitProperties.ts';
import { withGit } from './gitSession.ts';
import { checkAuthor, publish } from './pushFolder.ts';
import { dashboardItems, namespaceItems, type ObjectRow, syncObjects } from './twoWaySync.ts';
import { writeRows } from './writeRows.ts';

const Input = z.object(twoWayProperties);
type TwoWayInput = z.infer<typeof Input>;
type Items = Parameters<typeof syncObjects>[1];

const output = () =>
  z.object({
    diff: z.string().describe('A file with a row per object: `file`, `key`, `kind`, `action`.'),
    ...commitOutput,
  });

export const namespaceSync = defineTask({
  type: 'git.NamespaceSync',
  title: 'Keep a namespace and a Git repository in sync',
  description: `Brings the flows and files of one namespace in line with \`<gitDirectory>/<namespace>/flows\` and \`<gitDirectory>/<namespace>/files\`
of a repository, in the direction that \`sourceOfTruth\` says. Child namespaces are left alone. Everything is checked before the first
change is made, and the flow that runs the task is never deleted.`,
  check: checkAuthor,
  input: () => z.object({ ...twoWayProperties, namespace: text().describe('The namespace.') }),
  output,
  sideEffects: true,
  examples: [
    {
      title: 'Deploy a namespace from Git.',
      runs: false,
      code: `id: deploy
namespace: system

tasks:
  - id: sync
    type: git.NamespaceSync
    url: https://github.com/acme/flows
    branch: main
    username: deploy
    password: "{{ secret('GIT_TOKEN') }}"
    namespace: company.team
    sourceOfTruth: GIT
`,
    },
  ],
  run: (context, { namespace, ...input }) =>
    runTwoWay(context, input, `Sync of the namespace ${namespace}`, (repository) =>
      itemsOf(context, repository, input.gitDirectory, namespace),
    ),
});

export const tenantSync = defineTask({
  type: 'git.TenantSync',
  title: 'Keep everything and a Git repository in sync',
  description: `As \`git.NamespaceSync\`, for all namespaces of this server and of the repository, and for the dashboards in \`_global/dashboards\`.`,
  check: checkAuthor,
  input: () => z.object({ ...twoWayProperties }),
  output,
  sideEffects: true,
  examples: [
    {
      title: 'Write everything to Git every night.',
      runs: false,
      code: `id: save_everything
namespace: system

tasks:
  - id: sync
    type: git.TenantSync
    url: https://github.com/acme/everything
    branch: main
    username: deploy
    password: "{{ secret('GIT_TOKEN') }}"
    sourceOfTruth: KESTRA

triggers:
  - id: nightly
    type: core.trigger.Schedule
    cron: "0 2 * * *"
`,
    },
  ],
  run: (context, input) =>
    runTwoWay(context, input, 'Sync of all namespaces', async (repository) => {
      const root = new GitFolder(repository, input.gitDirectory);
      const inGit = (await root.list()).flatMap(
        (file) => /^([^/_][^/]*)\/(?:flows|files)\//.exec(file)?.[1] ?? [],
      );
      const names = new Set([...(await context.flows.namespaces()), ...inGit]);
      const items = await dashboardItems(
        context,
        new GitFolder(repository, root.pathOf('_global/dashboards')),
      );
      for (const namespace of [...names].sort())
        items.push(...(await itemsOf(context, repository, input.gitDirectory, namespace)));
      return items;
    }),
});

function itemsOf(
  context: TaskContext,
  repository: string,
  gitDirectory: string | undefined,
  namespace: string,
) {
  const root = new GitFolder(repository, gitDirectory);
  return namespaceItems(context, namespace, {
    flows: new GitFolder(repository, root.pathOf(`${namespace}/flows`)),
    files: new GitFolder(repository, root.pathOf(`${namespace}/files`)),
  });
}

function runTwoWay(
  context: TaskContext,
  input: TwoWayInput,
  message: string,
  read: (repository: string) => Promise<Items>,
) {
  return withGit(context, input, async (session) => {
    const { branch, cloneSubmodules, sourceOfTruth } = input;
    const mayCreate = sourceOfTruth === 'KESTRA';
    const repository = await checkOut(session, { branch, cloneSubmodules, mayCreate });
    const rows = await syncObjects(context, await read(repository), input);
    await context.log('INFO', summary(rows, input.dryRun));
    const diff = await writeRows(context, 'diff.ion', rows);
    if (!mayCreate) return { diff };
    const { diff: _, ...commit } = await publish(context, session, {
      input,
      repository,
      message,
      diffName: 'changes.ion',
    });
    return { diff, ...commit };
  });
}

function summary(rows: readonly ObjectRow[], dryRun: boolean): string {
  const counts = new Map<string, number>();
  for (const { action } of rows) counts.set(action, (counts.get(action) ?? 0) + 1);
  const list = [...counts].map(([action, count]) => `${count} ${action.toLowerCase()}`).join(', ');
  return `${dryRun ? 'Dry run: ' : ''}${list || 'no objects'}.`;
}

import { defineTask, flag, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { checkOut, explainMissing } from './checkout.ts';
import { GitFolder } from './gitFolder.ts';
import { syncProperties } from './gitProperties.ts';
import { withGit } from './gitSession.ts';
import { syncDashboardFiles } from './syncDashboardFiles.ts';
import { writeRows } from './writeRows.ts';

export const syncDashboards = defineTask({
  type: 'git.SyncDashboards',
  title: 'Save the dashboards of a Git repository',
  description: `Saves every YAML file of \`gitDirectory\` as a dashboard. A dashboard without an \`id\` gets the name of its file.
All files are checked before the first one is saved.`,
  input: () =>
    z.object({
      ...syncProperties,
      gitDirectory: text().default('_dashboards').describe('The folder of the repository.'),
      delete: flag().default(false).describe('Delete dashboards that Git does not have.'),
    }),
  output: () =>
    z.object({
      dashboards: z
        .string()
        .describe('A file with a row per dashboard: `gitPath`, `dashboardId`, `syncState`.'),
    }),
  sideEffects: true,
  examples: [
    {
      title: 'Bring dashboards from Git.',
      runs: false,
      code: `id: sync_dashboards
namespace: system

tasks:
  - id: sync
    type: git.SyncDashboards
    url: https://github.com/acme/dashboards
    branch: main
    username: deploy
    password: "{{ secret('GIT_TOKEN') }}"
`,
    },
  ],
  run: (context, input) =>
    withGit(context, input, async (session) => {
      const { branch, cloneSubmodules, gitDirectory } = input;
      const repository = await checkOut(session, { branch, cloneSubmodules, mayCreate: false });
      const folder = new GitFolder(repository, gitDirectory);
      if (input.failOnMissingDirectory && !(await folder.exists()))
        throw explainMissing(gitDirectory, branch);
      const rows = await syncDashboardFiles(context, { ...input, folder });
      return { dashboards: await writeRows(context, 'dashboards.ion', rows) };
    }),
});

import { defineTask, flag, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { checkOut } from './checkout.ts';
import { GitFolder } from './gitFolder.ts';
import { repositoryProperties } from './gitProperties.ts';
import { withGit } from './gitSession.ts';
import { syncFiles } from './syncFiles.ts';
import { syncFlowFiles } from './syncFlowFiles.ts';

const flowFolder = '_flows';

export const sync = defineTask({
  type: 'git.Sync',
  title: 'Copy flows and files of a Git repository to the namespace of the flow',
  description: `Replaced by \`git.SyncFlows\` and \`git.SyncNamespaceFiles\`. Saves the YAML files of \`<gitDirectory>/_flows\` as flows of the namespace
of the running flow, and every other file of \`gitDirectory\` as a file of that namespace. Nothing is deleted.`,
  deprecated: true,
  input: () =>
    z.object({
      ...repositoryProperties,
      gitDirectory: text().optional().describe('The folder of the repository; its root when absent.'),
      namespaceFilesDirectory: text()
        .optional()
        .describe('The folder of the namespace files that files are copied to; the root when absent.'),
      branch: text().default('main').describe('The branch to read.'),
      dryRun: flag().default(false).describe('Only log the changes; change nothing.'),
    }),
  output: () => z.object({}),
  sideEffects: true,
  examples: [
    {
      title: 'Copy flows and files from Git.',
      runs: false,
      code: `id: sync_all
namespace: company.team

tasks:
  - id: sync
    type: git.Sync
    url: https://github.com/acme/project
    branch: main
`,
    },
  ],
  run: (context, input) =>
    withGit(context, input, async (session) => {
      const { branch, cloneSubmodules, dryRun, gitDirectory = '' } = input;
      const repository = await checkOut(session, { branch, cloneSubmodules, mayCreate: false });
      const { namespace } = context.run;
      const common = { namespace, dryRun, delete: false };
      const flows = await syncFlowFiles(context, {
        ...common,
        folder: new GitFolder(repository, `${gitDirectory}/${flowFolder}`),
        includeChildNamespaces: false,
        ignoreInvalidFlows: false,
      });
      const files = await syncFiles(context, {
        ...common,
        folder: new GitFolder(repository, gitDirectory),
        target: (input.namespaceFilesDirectory ?? '').replace(/^[./]+|\/+$/g, ''),
        leaveOut: (file) => file.startsWith(`${flowFolder}/`),
      });
      for (const row of flows) await context.log('INFO', `Flow ${row.flowId}: ${row.syncState}`);
      for (const row of files) await context.log('INFO', `File ${row.kestraPath}: ${row.syncState}`);
      return {};
    }),
});

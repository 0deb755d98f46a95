import { defineTask, flag, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { checkOut, explainMissing } from './checkout.ts';
import { GitFolder } from './gitFolder.ts';
import { syncProperties } from './gitProperties.ts';
import { withGit } from './gitSession.ts';
import { syncFlowFiles } from './syncFlowFiles.ts';
import { writeRows } from './writeRows.ts';

export const syncFlows = defineTask({
  type: 'git.SyncFlows',
  title: 'Save the flows of a Git repository',
  description: `Saves every YAML file of \`gitDirectory\` as a flow of \`targetNamespace\`, whatever namespace the file names. With
\`includeChildNamespaces\`, files of sub-folders become flows of child namespaces: \`sales/eu/report.yml\` is saved in
\`<targetNamespace>.sales.eu\`. All files are checked before the first one is saved. The flow that runs the task is never deleted.`,
  input: () =>
    z.object({
      ...syncProperties,
      targetNamespace: text().describe('The namespace of the flows.'),
      gitDirectory: text().default('_flows').describe('The folder of the repository that holds the flows.'),
      includeChildNamespaces: flag().default(false).describe('Also read sub-folders, as child namespaces.'),
      delete: flag().default(false).describe('Delete flows of the namespace that Git does not have.'),
      ignoreInvalidFlows: flag()
        .default(false)
        .describe('Skip invalid files with a warning instead of failing.'),
    }),
  output: () =>
    z.object({
      flows: z
        .string()
        .describe('A file with a row per flow: `gitPath`, `syncState`, `flowId`, `namespace`, `revision`.'),
    }),
  sideEffects: true,
  examples: [
    {
      title: 'Every minute, bring the flows of a namespace in line with Git.',
      runs: false,
      code: `id: sync_flows
namespace: system

tasks:
  - id: sync
    type: git.SyncFlows
    url: https://github.com/acme/flows
    branch: main
    username: deploy
    password: "{{ secret('GIT_TOKEN') }}"
    targetNamespace: company.team
    includeChildNamespaces: true
    delete: true

triggers:
  - id: every_minute
    type: core.trigger.Schedule
    cron: "* * * * *"
`,
    },
  ],
  run: (context, input) =>
    withGit(context, input, async (session) => {
      const { branch, cloneSubmodules, gitDirectory, targetNamespace: namespace } = input;
      const repository = await checkOut(session, { branch, cloneSubmodules, mayCreate: false });
      const folder = new GitFolder(repository, gitDirectory);
      if (input.failOnMissingDirectory && !(await folder.exists()))
        throw explainMissing(gitDirectory, branch);
      const rows = await syncFlowFiles(context, { ...input, folder, namespace });
      const changed = rows.filter(({ syncState }) => syncState !== 'UNCHANGED').length;
      await context.log(
        'INFO',
        `${changed} of ${rows.length} flows ${input.dryRun ? 'would change' : 'changed'}.`,
      );
      return { flows: await writeRows(context, 'flows.ion', rows) };
    }),
});

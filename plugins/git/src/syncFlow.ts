import { defineTask, flag, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { checkOut } from './checkout.ts';
import { isSameText, withNamespace } from './flowText.ts';
import { GitFolder } from './gitFolder.ts';
import { branchProperty, repositoryProperties } from './gitProperties.ts';
import { withGit } from './gitSession.ts';

export const syncFlow = defineTask({
  type: 'git.SyncFlow',
  title: 'Save one flow of a Git repository',
  description:
    'Saves one YAML file of a repository as a flow of `targetNamespace`, whatever namespace the file names.',
  input: () =>
    z.object({
      ...repositoryProperties,
      branch: branchProperty(),
      targetNamespace: text().describe('The namespace of the flow.'),
      flowPath: text().describe('The file in the repository, such as `_flows/report.yml`.'),
      dryRun: flag().default(false).describe('Only check the flow; save nothing.'),
    }),
  output: () =>
    z.object({
      flowId: z.string().describe('The id of the flow.'),
      namespace: z.string().describe('The namespace of the flow.'),
      revision: z.number().describe('The revision after the sync; the one it would have in a dry run.'),
    }),
  sideEffects: true,
  examples: [
    {
      title: 'Deploy one flow.',
      runs: false,
      code: `id: sync_flow
namespace: system

tasks:
  - id: sync
    type: git.SyncFlow
    url: https://github.com/acme/flows
    branch: main
    username: deploy
    password: "{{ secret('GIT_TOKEN') }}"
    targetNamespace: company.team
    flowPath: _flows/report.yml
`,
    },
  ],
  run: (context, input) =>
    withGit(context, input, async (session) => {
      const { branch, cloneSubmodules, targetNamespace: namespace, flowPath } = input;
      const repository = await checkOut(session, { branch, cloneSubmodules, mayCreate: false });
      const folder = new GitFolder(repository, undefined);
      const file = flowPath.replace(/^[./]+(?=.)/, '');
      if (!(await folder.list()).includes(file))
        throw new TaskFailed(`The file "${file}" does not exist on the branch "${branch}".`, {
          retry: false,
        });
      const source = withNamespace(await folder.text(file), namespace);
      const checked = await context.flows.check(source);
      if (checked.problem !== undefined)
        throw new TaskFailed(`${file}: ${checked.problem}`, { retry: false });
      const { id: flowId } = checked;
      const before = await context.flows.find(namespace, flowId);
      if (before && isSameText(before.source, source))
        return { flowId, namespace, revision: before.revision };
      if (input.dryRun) return { flowId, namespace, revision: (before?.revision ?? 0) + 1 };
      return { flowId, namespace, revision: (await context.flows.save(source)).revision };
    }),
});

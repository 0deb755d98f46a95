import { createGlobMatcher, defineTask, flag, text, textOrList } from '@millrace/plugin-kit';
import { z } from 'zod';
import { folderOf, withNamespace, withoutRevision } from './flowText.ts';
import { idOfFile, isYaml } from './gitFolder.ts';
import { commitOutput, pushProperties } from './gitProperties.ts';
import { checkAuthor, fillFolder, pushFolder } from './pushFolder.ts';
import { namespaceOf } from './syncNamespaceFiles.ts';

export const pushFlows = defineTask({
  type: 'git.PushFlows',
  title: 'Push flows to a Git repository',
  description: `Writes the flows of a namespace as \`<gitDirectory>/<id>.yml\` and pushes them in one commit. With \`includeChildNamespaces\`, flows of
child namespaces go to sub-folders. A push never overwrites commits of others: when the branch has moved meanwhile, the task
fails and nothing is changed there.`,
  check: checkAuthor,
  input: () =>
    z.object({
      ...pushProperties,
      gitDirectory: text().default('_flows').describe('The folder of the repository for the flows.'),
      sourceNamespace: text().default('{{ flow.namespace }}').describe('The namespace of the flows.'),
      targetNamespace: text()
        .optional()
        .describe('The namespace that the pushed files name; the source namespace when absent.'),
      flows: textOrList().default(['**']).describe('Which flows, as globs on their ids.'),
      includeChildNamespaces: flag().default(false).describe('Also push the flows of child namespaces.'),
    }),
  output: () =>
    z.object({
      flows: z
        .string()
        .describe('A file with a row per changed file: `file`, `additions`, `deletions`, `changes`.'),
      ...commitOutput,
    }),
  sideEffects: true,
  examples: [
    {
      title: 'Push the flows of a namespace every evening.',
      runs: false,
      code: `id: push_flows
namespace: company.team

tasks:
  - id: push
    type: git.PushFlows
    url: https://github.com/acme/flows
    branch: main
    username: deploy
    password: "{{ secret('GIT_TOKEN') }}"
    includeChildNamespaces: true
    commitMessage: "Flows of {{ flow.namespace }}"

triggers:
  - id: evening
    type: core.trigger.Schedule
    cron: "0 18 * * *"
`,
    },
  ],
  async run(context, input) {
    const source = namespaceOf(input.sourceNamespace, context.run.namespace);
    const target = input.targetNamespace ?? source;
    const matches = createGlobMatcher(input.flows);
    const { includeChildNamespaces: children } = input;
    const wanted = new Map<string, string>();
    for (const flow of await context.flows.list(source, { children })) {
      if (!matches(flow.id)) continue;
      const folder = folderOf(flow.namespace, source);
      const namespace = target + flow.namespace.slice(source.length);
      const path = folder === '' ? `${flow.id}.yml` : `${folder}/${flow.id}.yml`;
      wanted.set(path, withoutRevision(withNamespace(flow.source, namespace)));
    }
    const { diff, ...commit } = await pushFolder(context, input, {
      gitDirectory: input.gitDirectory,
      message: `Add flows from ${source} namespace`,
      diffName: 'flows.ion',
      fill: (folder) =>
        fillFolder(
          folder,
          wanted,
          (file) =>
            input.delete && isYaml(file) && (children || !file.includes('/')) && matches(idOfFile(file)),
        ),
    });
    return { flows: diff, ...commit };
  },
});

import { createGlobMatcher, defineTask, text, textOrList } from '@millrace/plugin-kit';
import { z } from 'zod';
import { idOfFile, isYaml } from './gitFolder.ts';
import { commitOutput, pushProperties } from './gitProperties.ts';
import { checkAuthor, fillFolder, pushFolder } from './pushFolder.ts';

export const pushDashboards = defineTask({
  type: 'git.PushDashboards',
  title: 'Push dashboards to a Git repository',
  description: 'Writes dashboards as `<gitDirectory>/<id>.yml` and pushes them in one commit.',
  check: checkAuthor,
  input: () =>
    z.object({
      ...pushProperties,
      gitDirectory: text()
        .default('_dashboards')
        .describe('The folder of the repository for the dashboards.'),
      dashboards: textOrList().default(['**']).describe('Which dashboards, as globs on their ids.'),
    }),
  output: () =>
    z.object({
      dashboards: z
        .string()
        .describe('A file with a row per changed file: `file`, `additions`, `deletions`, `changes`.'),
      flows: z.string().describe('The same file, under the name that flows for Kestra use.'),
      ...commitOutput,
    }),
  sideEffects: true,
  examples: [
    {
      title: 'Push all dashboards.',
      runs: false,
      code: `id: push_dashboards
namespace: system

tasks:
  - id: push
    type: git.PushDashboards
    url: https://github.com/acme/dashboards
    branch: main
    username: deploy
    password: "{{ secret('GIT_TOKEN') }}"
`,
    },
  ],
  async run(context, input) {
    const matches = createGlobMatcher(input.dashboards);
    const found = (await context.dashboards.list()).filter(({ id }) => matches(id));
    const wanted = new Map(
      found.map(({ id, source }) => [`${id}.yml`, source.endsWith('\n') ? source : `${source}\n`] as const),
    );
    const { diff, ...commit } = await pushFolder(context, input, {
      gitDirectory: input.gitDirectory,
      message: 'Add dashboards',
      diffName: 'dashboards.ion',
      fill: (folder) =>
        fillFolder(folder, wanted, (file) => input.delete && isYaml(file) && matches(idOfFile(file))),
    });
    return { dashboards: diff, flows: diff, ...commit };
  },
});

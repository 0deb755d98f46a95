import { createGlobMatcher, defineTask, flag, TaskFailed, text, textOrList } from '@millrace/plugin-kit';
import { z } from 'zod';
import { commitOutput, pushProperties } from './gitProperties.ts';
import { checkAuthor, fillFolder, pushFolder } from './pushFolder.ts';
import { namespaceOf } from './syncNamespaceFiles.ts';

export const pushNamespaceFiles = defineTask({
  type: 'git.PushNamespaceFiles',
  title: 'Push files of a namespace to a Git repository',
  description:
    'Writes the files of a namespace to `gitDirectory` and pushes them in one commit. When the branch has moved meanwhile, the task fails and nothing is changed there.',
  check: checkAuthor,
  input: () =>
    z.object({
      ...pushProperties,
      namespace: text().default('{{ flow.namespace }}').describe('The namespace of the files.'),
      gitDirectory: text().default('_files').describe('The folder of the repository for the files.'),
      files: textOrList().default(['**']).describe('Which files, as globs.'),
      errorOnMissing: flag().default(false).describe('Fail when no file matches.'),
    }),
  output: () =>
    z.object({
      files: z
        .string()
        .describe('A file with a row per changed file: `file`, `additions`, `deletions`, `changes`.'),
      ...commitOutput,
    }),
  sideEffects: true,
  examples: [
    {
      title: 'Push scripts of a namespace.',
      runs: false,
      code: `id: push_files
namespace: company.team

tasks:
  - id: push
    type: git.PushNamespaceFiles
    url: https://github.com/acme/scripts
    branch: main
    username: deploy
    password: "{{ secret('GIT_TOKEN') }}"
    files:
      - "scripts/**"
    gitDirectory: team
`,
    },
  ],
  async run(context, input) {
    const namespace = namespaceOf(input.namespace, context.run.namespace);
    const matches = createGlobMatcher(input.files);
    const paths = (await context.namespaceFiles.list(namespace)).filter(matches);
    if (paths.length === 0 && input.errorOnMissing)
      throw new TaskFailed(`No file of the namespace "${namespace}" matches ${input.files.join(', ')}.`, {
        retry: false,
      });
    const wanted = new Map(
      paths.map((path) => [path, () => context.namespaceFiles.read(namespace, path)] as const),
    );
    const { diff, ...commit } = await pushFolder(context, input, {
      gitDirectory: input.gitDirectory,
      message: `Add files from ${namespace} namespace`,
      diffName: 'files.ion',
      fill: (folder) => fillFolder(folder, wanted, (file) => input.delete && matches(file)),
    });
    return { files: diff, ...commit };
  },
});

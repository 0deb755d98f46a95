import { defineTask, flag, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { checkOut, explainMissing } from './checkout.ts';
import { GitFolder } from './gitFolder.ts';
import { syncProperties } from './gitProperties.ts';
import { withGit } from './gitSession.ts';
import { syncFiles } from './syncFiles.ts';
import { writeRows } from './writeRows.ts';

export const syncNamespaceFiles = defineTask({
  type: 'git.SyncNamespaceFiles',
  title: 'Copy files of a Git repository to a namespace',
  description: `Copies every file of \`gitDirectory\` to the files of a namespace. Files that begin with \`.git\`, links, and files
that a \`.kestraignore\` or \`.millraceignore\` in the folder names are left out.`,
  input: () =>
    z.object({
      ...syncProperties,
      namespace: text().default('{{ flow.namespace }}').describe('The namespace of the files.'),
      gitDirectory: text().default('_files').describe('The folder of the repository that holds the files.'),
      delete: flag().default(false).describe('Delete files of the namespace that Git does not have.'),
    }),
  output: () =>
    z.object({
      files: z.string().describe('A file with a row per file: `gitPath`, `kestraPath`, `syncState`.'),
    }),
  sideEffects: true,
  examples: [
    {
      title: 'Bring scripts from Git to a namespace.',
      runs: false,
      code: `id: sync_files
namespace: company.team

tasks:
  - id: sync
    type: git.SyncNamespaceFiles
    url: https://github.com/acme/scripts
    branch: main
    username: deploy
    password: "{{ secret('GIT_TOKEN') }}"
    gitDirectory: scripts
    delete: true
`,
    },
  ],
  run: (context, input) =>
    withGit(context, input, async (session) => {
      const { branch, cloneSubmodules, gitDirectory } = input;
      const namespace = namespaceOf(input.namespace, context.run.namespace);
      const repository = await checkOut(session, { branch, cloneSubmodules, mayCreate: false });
      const folder = new GitFolder(repository, gitDirectory);
      if (input.failOnMissingDirectory && !(await folder.exists()))
        throw explainMissing(gitDirectory, branch);
      const rows = await syncFiles(context, { ...input, folder, namespace });
      const changed = rows.filter(({ syncState }) => syncState !== 'UNCHANGED').length;
      await context.log(
        'INFO',
        `${changed} of ${rows.length} files ${input.dryRun ? 'would change' : 'changed'}.`,
      );
      return { files: await writeRows(context, 'files.ion', rows) };
    }),
});

/** A default is not rendered, so the expression that the documentation shows is read here. */
export const namespaceOf = (written: string, own: string): string =>
  written === '{{ flow.namespace }}' ? own : written;

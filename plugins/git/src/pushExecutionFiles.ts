import {
  createGlobMatcher,
  defineTask,
  flag,
  isStorageUri,
  mapOf,
  nameOfUri,
  type TaskContext,
  TaskFailed,
  text,
  textOrList,
  toInnerPath,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { commitOutput, pushProperties } from './gitProperties.ts';
import { checkAuthor, fillFolder, pushFolder } from './pushFolder.ts';

export const pushExecutionFiles = defineTask({
  type: 'git.PushExecutionFiles',
  title: 'Push output files of the execution to a Git repository',
  description: `Writes files that earlier tasks of the execution have stored to \`gitDirectory\` and pushes them in one commit: those
that \`filesMap\` names, and those of the outputs whose name matches a glob of \`files\`.`,
  check: checkAuthor,
  input: () =>
    z.object({
      ...pushProperties,
      gitDirectory: text().default('_outputs').describe('The folder of the repository for the files.'),
      files: textOrList()
        .optional()
        .describe('Which output files, as globs on their names, or as URIs of internal storage.'),
      filesMap: mapOf(text()).optional().describe('From path in Git to URI in internal storage.'),
      errorOnMissing: flag().default(false).describe('Fail when no file matches.'),
      delete: flag()
        .default(true)
        .describe(
          'Remove other files from the Git directory: those that match a glob of `files`, or all when there is no glob. Nothing is removed when no file of the execution matches.',
        ),
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
      title: 'Keep a report in Git.',
      runs: false,
      code: `id: push_report
namespace: company.team

tasks:
  - id: report
    type: core.storage.Write
    content: "The report of {{ now() }}"

  - id: push
    type: git.PushExecutionFiles
    url: https://github.com/acme/reports
    branch: main
    username: deploy
    password: "{{ secret('GIT_TOKEN') }}"
    filesMap:
      report.txt: "{{ outputs.report.uri }}"
`,
    },
  ],
  async run(context, input) {
    const uris = new Map(Object.entries(input.filesMap ?? {}));
    for (const [name, uri] of matchingOutputs(context, input.files ?? [])) uris.set(name, uri);
    if (uris.size === 0 && input.errorOnMissing)
      throw new TaskFailed('No output file of the execution matches.', { retry: false });
    const wanted = new Map(
      [...uris].map(
        ([path, uri]) => [toInnerPath(path.replace(/^\/+/, '')), () => context.files.read(uri)] as const,
      ),
    );
    const globs = globsOf(input.files ?? []);
    const isCovered = globs.length === 0 ? () => true : globMatcher(globs);
    const isRemoved = (path: string) => input.delete && wanted.size > 0 && isCovered(path);
    const { diff, ...commit } = await pushFolder(context, input, {
      gitDirectory: input.gitDirectory,
      message: `Add files of the execution ${context.run.executionId}`,
      diffName: 'files.ion',
      fill: (folder) => fillFolder(folder, wanted, isRemoved),
    });
    return { files: diff, ...commit };
  },
});

const globsOf = (files: readonly string[]) => files.filter((file) => !isStorageUri(file));

const globMatcher = (globs: readonly string[]) =>
  createGlobMatcher(globs.flatMap((glob) => [glob, `**/${glob}`]));

function matchingOutputs(context: TaskContext, files: readonly string[]): Map<string, string> {
  const found = new Map(files.filter(isStorageUri).map((uri) => [nameOfUri(uri), uri] as const));
  const globs = globsOf(files);
  if (globs.length === 0) return found;
  const matches = globMatcher(globs);
  for (const [name, uri] of storedFiles('', context.variables.outputs))
    if (matches(name)) found.set(name, uri);
  return found;
}

/** Every file in the outputs: under its name in a map of files, otherwise under the name in its URI. */
function* storedFiles(key: string, value: unknown): Generator<[string, string]> {
  if (typeof value === 'string' && isStorageUri(value)) {
    yield [/\.\w+$/.test(key) ? key.replace(/^\/+/, '') : nameOfUri(value), value];
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) yield* storedFiles(name, inner);
  }
}

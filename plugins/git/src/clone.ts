import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { defineTask, flag, integer, TaskFailed, text, toInnerPath } from '@millrace/plugin-kit';
import { z } from 'zod';
import { checkRef } from './checkout.ts';
import { repositoryProperties } from './gitProperties.ts';
import { type GitSession, withGit } from './gitSession.ts';

const input = () =>
  z.object({
    ...repositoryProperties,
    directory: text()
      .optional()
      .describe('The folder below the working folder; the working folder when absent.'),
    branch: text().optional().describe('The branch; the default branch of the repository when absent.'),
    depth: integer({ min: 0 })
      .default(1)
      .describe('How many commits to fetch; 0 fetches all. Ignored with `commit` and `tag`.'),
    commit: text().optional().describe('The commit to check out, after a full clone.'),
    tag: text().optional().describe('The tag to check out.'),
    cloneAllBranches: flag()
      .default(true)
      .describe('Fetch all branches, not only the one that is checked out.'),
    noTags: flag().default(false).describe('Do not fetch tags.'),
  });
type CloneInput = z.infer<ReturnType<typeof input>>;

export const clone = defineTask({
  type: 'git.Clone',
  title: 'Clone a Git repository',
  description: `Fetches a repository into the working folder, for the tasks of the same \`core.flow.WorkingDirectory\`. The worker
needs the program \`git\`, and \`ssh\` for SSH addresses.`,
  input,
  output: () => z.object({ directory: z.string().describe('The full path of the folder.') }),
  sideEffects: true,
  examples: [
    {
      title: 'Run a script of a repository.',
      runs: false,
      code: `id: run_from_git
namespace: company.team

tasks:
  - id: folder
    type: core.flow.WorkingDirectory
    tasks:
      - id: clone
        type: git.Clone
        url: https://github.com/acme/scripts
        branch: main

      - id: run
        type: scripts.shell.Commands
        commands:
          - ls -l
`,
    },
    {
      title: 'Clone a private repository over SSH.',
      runs: false,
      code: `id: clone_private
namespace: company.team

tasks:
  - id: folder
    type: core.flow.WorkingDirectory
    tasks:
      - id: clone
        type: git.Clone
        url: git@github.com:acme/private.git
        privateKey: "{{ secret('SSH_KEY') }}"
        directory: source
        tag: v1.2.0
`,
    },
  ],
  run: (context, properties) =>
    withGit(context, properties, async (session) => {
      const working = await context.workingDirectory();
      const inner = (properties.directory ?? '').replace(/^[./]+(?=.)|\/+$/g, '');
      const directory = inner === '' || inner === '.' ? working : join(working, toInnerPath(inner));
      if (await isEmpty(directory)) await cloneInto(session, directory, properties);
      else await fetchInto(session, directory, properties);
      await session.configure(directory);
      const target = properties.commit ?? (properties.tag && `refs/tags/${checkRef(properties.tag, 'tag')}`);
      if (target !== undefined)
        await session.git(['checkout', '--quiet', '--detach', checkRef(target, 'commit')], { in: directory });
      if (properties.cloneSubmodules)
        await session.git(['submodule', 'update', '--quiet', '--init', '--recursive'], { in: directory });
      const commit = (await session.git(['rev-parse', 'HEAD'], { in: directory })).trim();
      await context.log('INFO', `Checked out commit ${commit}.`);
      return { directory };
    }),
});

async function isEmpty(directory: string): Promise<boolean> {
  if (!(await stat(directory).catch(() => undefined))) return true;
  const names = await readdir(directory);
  return names.length === 0;
}

/** Options of `clone` and `fetch` that limit the amount to fetch. */
function amount({ depth, commit, tag, noTags }: CloneInput): string[] {
  const isFull = depth === 0 || commit !== undefined || tag !== undefined;
  return [
    ...(isFull ? [] : ['--depth', String(depth)]),
    ...(noTags && tag === undefined ? ['--no-tags'] : []),
  ];
}

async function cloneInto({ git, url }: GitSession, directory: string, options: CloneInput): Promise<void> {
  const { branch, cloneAllBranches } = options;
  await git([
    'clone',
    '--quiet',
    ...amount(options),
    ...(cloneAllBranches ? ['--no-single-branch'] : ['--single-branch']),
    ...(branch === undefined ? [] : ['--branch', checkRef(branch, 'branch')]),
    '--',
    url.text,
    directory,
  ]);
}

/** A folder that holds files already gets the repository around them. */
async function fetchInto({ git, url }: GitSession, directory: string, options: CloneInput): Promise<void> {
  const inFolder = { in: directory };
  const isRepository = (await readdir(directory)).includes('.git');
  if (!isRepository) await git(['init', '--quiet'], inFolder);
  await git(['remote', 'remove', 'origin'], inFolder).catch(() => '');
  await git(['remote', 'add', 'origin', url.text], inFolder);
  const branch = options.branch ?? (await defaultBranch(git, url.text));
  checkRef(branch, 'branch');
  const which = options.cloneAllBranches ? [] : [`+refs/heads/${branch}:refs/remotes/origin/${branch}`];
  await git(['fetch', '--quiet', ...amount(options), 'origin', ...which], inFolder);
  await git(['checkout', '--quiet', '--force', '-B', branch, `refs/remotes/origin/${branch}`], inFolder);
}

async function defaultBranch(git: GitSession['git'], url: string): Promise<string> {
  const printed = await git(['ls-remote', '--symref', '--', url]);
  const head = /^ref: refs\/heads\/(\S+)\s+HEAD$/m.exec(printed)?.[1];
  const found = head ?? ['main', 'master'].find((name) => printed.includes(`refs/heads/${name}\n`));
  if (found !== undefined) return found;
  throw new TaskFailed('The repository has no default branch; set "branch".', { retry: false });
}

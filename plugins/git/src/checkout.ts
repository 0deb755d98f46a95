import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { TaskFailed } from '@millrace/plugin-kit';
import type { GitSession } from './gitSession.ts';

interface CheckoutInput {
  readonly branch: string;
  readonly cloneSubmodules: boolean;
  /** A push may create the branch; a sync needs it. */
  readonly mayCreate: boolean;
}

/** Rejects a branch name that Git could parse as an option. */
export function checkRef(name: string, what: string): string {
  if (/^[^-\s~^:?*[\\][^\s~^:?*[\\]*$/.test(name) && !name.includes('..')) return name;
  throw new TaskFailed(`"${name}" is not the name of a ${what}.`, { retry: false });
}

/** The newest commit of a branch in a folder of the task; a new or empty branch has no commit yet. */
export async function checkOut(session: GitSession, input: CheckoutInput): Promise<string> {
  const { git, url } = session;
  const branch = checkRef(input.branch, 'branch');
  const repository = join(session.folder, 'repository');
  const heads = await git(['ls-remote', '--heads', '--', url.text]);
  const names = heads.split('\n').flatMap((line) => /\trefs\/heads\/(.+)$/.exec(line)?.[1] ?? []);
  const submodules = input.cloneSubmodules ? ['--recurse-submodules', '--shallow-submodules'] : [];
  const clone = (...options: string[]) =>
    git(['clone', '--quiet', '--depth', '1', ...options, ...submodules, '--', url.text, repository]);
  if (names.includes(branch)) await clone('--branch', branch);
  else if (!input.mayCreate)
    throw new TaskFailed(`The repository has no branch "${branch}"; it has: ${names.join(', ') || 'none'}.`, {
      retry: false,
    });
  else if (names.length === 0) {
    await mkdir(repository, { recursive: true });
    await git(['init', '--quiet', `--initial-branch=${branch}`], { in: repository });
    await git(['remote', 'add', 'origin', url.text], { in: repository });
  } else {
    await clone();
    await git(['checkout', '--quiet', '-b', branch], { in: repository });
  }
  await session.configure(repository);
  return repository;
}

export interface FileChange {
  readonly file: string;
  readonly additions: string;
  readonly deletions: string;
  readonly changes: string;
}

/** Stages all changes below the folder and returns them. */
export async function stage(
  { git }: GitSession,
  repository: string,
  paths: readonly string[] = ['.'],
): Promise<FileChange[]> {
  await git(['add', '--all', '--force', '--', ...paths, ':(exclude).millrace-*'], { in: repository });
  const printed = await git(['diff', '--cached', '--no-renames', '--numstat', '-z'], { in: repository });
  return printed
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const [added = '-', deleted = '-', ...file] = line.split('\t');
      const [plus, minus] = [Number(added) || 0, Number(deleted) || 0];
      return {
        file: file.join('\t'),
        additions: `+${plus}`,
        deletions: `-${minus}`,
        changes: String(plus + minus),
      };
    });
}

interface CommitInput {
  readonly branch: string;
  readonly message: string;
  readonly author?: string | undefined;
}

/** Commits the staged changes and pushes them without force; returns the commit id. */
export async function commitAndPush(
  { git }: GitSession,
  repository: string,
  { branch, message, author }: CommitInput,
): Promise<string> {
  await git(['commit', '--quiet', '--message', message, ...(author ? [`--author=${author}`] : [])], {
    in: repository,
  });
  const commitId = (await git(['rev-parse', 'HEAD'], { in: repository })).trim();
  await git(['push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`], { in: repository });
  return commitId;
}

export const explainMissing = (directory: string, branch: string): TaskFailed =>
  new TaskFailed(`The folder "${directory}" does not exist on the branch "${branch}".`, { retry: false });

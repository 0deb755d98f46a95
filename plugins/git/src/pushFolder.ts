import { allOrNone, type TaskContext } from '@millrace/plugin-kit';
import { checkOut, commitAndPush, stage } from './checkout.ts';
import { GitFolder } from './gitFolder.ts';
import type { PushInput } from './gitProperties.ts';
import { type GitSession, withGit } from './gitSession.ts';
import { commitUrl } from './repositoryUrl.ts';
import { writeRows } from './writeRows.ts';

/** An author needs both a name and an address. */
export const checkAuthor = (properties: Readonly<Record<string, unknown>>) =>
  properties.authorName === undefined ? [] : allOrNone('authorName', 'authorEmail')(properties);

interface PushPlan {
  readonly gitDirectory: string;
  readonly message: string;
  readonly diffName: string;
  /** Writes the files; paths are relative to the Git directory. */
  fill(folder: GitFolder): Promise<void>;
}

export interface PushResult {
  readonly diff: string;
  readonly commitId?: string;
  readonly commitURL?: string;
}

type Push = Pick<PushInput, 'branch' | 'dryRun' | 'commitMessage' | 'authorName' | 'authorEmail'> &
  Pick<PushInput, 'cloneSubmodules'>;

/** Checks the branch out, fills its folder, and pushes one commit with all changes. */
export function pushFolder(context: TaskContext, input: PushInput, plan: PushPlan): Promise<PushResult> {
  return withGit(context, input, async (session) => {
    const { branch, cloneSubmodules } = input;
    const repository = await checkOut(session, { branch, cloneSubmodules, mayCreate: true });
    const folder = new GitFolder(repository, plan.gitDirectory);
    await plan.fill(folder);
    return publish(context, session, { input, repository, message: plan.message, diffName: plan.diffName });
  });
}

interface Publication {
  readonly input: Push;
  readonly repository: string;
  readonly message: string;
  readonly diffName: string;
}

/** Stores the list of changes; commits and pushes them unless it is a dry run or there are none. */
export async function publish(
  context: TaskContext,
  session: GitSession,
  { input, repository, message, diffName }: Publication,
): Promise<PushResult> {
  const changes = await stage(session, repository);
  const diff = await writeRows(context, diffName, changes);
  if (changes.length === 0) {
    await context.log('INFO', 'Nothing has changed, so no commit was made.');
    return { diff };
  }
  if (input.dryRun) {
    await context.log('INFO', `Dry run: ${changes.length} files would change.`);
    return { diff };
  }
  const { branch, authorName, authorEmail } = input;
  const author = authorName && authorEmail ? `${authorName} <${authorEmail}>` : undefined;
  const commitId = await commitAndPush(session, repository, {
    branch,
    message: input.commitMessage ?? message,
    author,
  });
  const commitURL = commitUrl(session.url, commitId);
  await context.log('INFO', `Pushed commit ${commitId} to the branch "${branch}".`);
  return { diff, commitId, ...(commitURL === undefined ? {} : { commitURL }) };
}

/** Writes the given files and removes files of the same kind that are no longer needed. */
export async function fillFolder(
  folder: GitFolder,
  wanted: ReadonlyMap<string, string | (() => Promise<AsyncIterable<Uint8Array>>)>,
  isOurs: (file: string) => boolean,
): Promise<void> {
  const existing = await folder.list();
  for (const [file, content] of wanted)
    await folder.write(file, typeof content === 'string' ? content : await content());
  for (const file of existing) if (isOurs(file) && !wanted.has(file)) await folder.remove(file);
}

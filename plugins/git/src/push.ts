import { join } from 'node:path';
import {
  defineTask,
  flag,
  inputFiles,
  listOf,
  namespaceFiles,
  part,
  type TaskContext,
  text,
  toInnerPath,
  writeInputFiles,
  writeNamespaceFiles,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { checkOut, checkRef, commitAndPush, stage } from './checkout.ts';
import { withoutRevision } from './flowText.ts';
import { GitFolder } from './gitFolder.ts';
import { repositoryProperties } from './gitProperties.ts';
import { type GitSession, withGit } from './gitSession.ts';

const input = () =>
  z.object({
    ...repositoryProperties,
    directory: text()
      .optional()
      .describe(
        'A repository in the working folder that an earlier `git.Clone` made; used when `url` is absent.',
      ),
    branch: text().describe('The branch to push to; created when it does not exist.'),
    commitMessage: text().describe('The message of the commit.'),
    namespaceFiles: namespaceFiles().optional(),
    flows: part({
      enabled: flag().default(true).describe('Push the flows of the namespace.'),
      childNamespaces: flag().default(true).describe('Also push the flows of child namespaces.'),
      gitDirectory: text().default('_flows').describe('The folder of the repository for the flows.'),
    })
      .prefault({})
      .describe('Which flows to push.'),
    inputFiles: inputFiles().optional(),
    addFilesPattern: listOf(text()).default(['.']).describe('Which files to add to the commit.'),
    author: part({
      name: text().optional().describe('The name.'),
      email: text().optional().describe('The email address.'),
    })
      .optional()
      .describe('The author of the commit.'),
  });
type PushAllInput = z.infer<ReturnType<typeof input>>;

export const push = defineTask({
  type: 'git.Push',
  title: 'Push files and flows to a Git repository',
  description: `Replaced by \`git.PushFlows\` and \`git.PushNamespaceFiles\`. With \`url\`, the branch is replaced by \`inputFiles\`,
\`namespaceFiles\` and the flows of the namespace. Without \`url\`, changes of the repository in \`directory\` are pushed.`,
  deprecated: true,
  input,
  output: () =>
    z.object({ commitId: z.string().optional().describe('The commit; absent when nothing has changed.') }),
  sideEffects: true,
  examples: [
    {
      title: 'Push a file.',
      runs: false,
      code: `id: push_file
namespace: company.team

tasks:
  - id: push
    type: git.Push
    url: https://github.com/acme/data
    branch: main
    username: deploy
    password: "{{ secret('GIT_TOKEN') }}"
    commitMessage: "From {{ execution.id }}"
    flows:
      enabled: false
    inputFiles:
      hello.txt: Hello
`,
    },
  ],
  async run(context, properties) {
    const author = { authorName: properties.author?.name, authorEmail: properties.author?.email };
    const working = await context.workingDirectory();
    const existing = join(working, toInnerPath(`./${properties.directory ?? '.'}/x`), '..');
    const url = properties.url ?? (await originOf(context, existing));
    const session = { ...properties, url, ...dropUndefined(author) };
    return withGit(context, session, async (git) => {
      const repository = properties.url === undefined ? existing : await emptiedBranch(git, properties);
      if (properties.url === undefined)
        await git.git(['checkout', '-B', checkRef(properties.branch, 'branch')], { in: repository });
      await writeContent(context, repository, properties);
      const changes = await stage(git, repository, properties.addFilesPattern);
      if (changes.length === 0) {
        await context.log('INFO', 'Nothing has changed, so no commit was made.');
        return {};
      }
      const { branch, commitMessage: message } = properties;
      return { commitId: await commitAndPush(git, repository, { branch, message }) };
    });
  },
});

const dropUndefined = <T extends object>(map: T) =>
  Object.fromEntries(Object.entries(map).filter(([, value]) => value !== undefined));

async function originOf(context: TaskContext, repository: string): Promise<string> {
  let printed = '';
  await context.spawn({
    command: ['git', '-c', 'safe.directory=*', 'remote', 'get-url', 'origin'],
    workingDirectory: repository,
    onStdout: (chunk) => {
      printed += Buffer.from(chunk).toString('utf8');
    },
    onStderr: () => {},
  });
  return printed.trim();
}

/** Checks out the branch without its files: the commit removes files that are not written again. */
async function emptiedBranch(git: GitSession, { branch, cloneSubmodules }: PushAllInput): Promise<string> {
  const repository = await checkOut(git, { branch, cloneSubmodules, mayCreate: true });
  await git.git(['rm', '-r', '--quiet', '--force', '--ignore-unmatch', '--', '.'], { in: repository });
  return repository;
}

async function writeContent(context: TaskContext, repository: string, input: PushAllInput): Promise<void> {
  if (input.namespaceFiles) await writeNamespaceFiles(context, repository, input.namespaceFiles);
  if (input.inputFiles !== undefined) await writeInputFiles(context, repository, input.inputFiles);
  if (!input.flows.enabled) return;
  const folder = new GitFolder(repository, input.flows.gitDirectory);
  const children = input.flows.childNamespaces;
  for (const flow of await context.flows.list(context.run.namespace, { children }))
    await folder.write(`${flow.namespace}.${flow.id}.yml`, withoutRevision(flow.source));
}

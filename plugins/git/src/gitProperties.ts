import { anything, deprecated, flag, integer, listOf, mapOf, part, text } from '@millrace/plugin-kit';
import { z } from 'zod';

/** How a task reaches the repository. */
export const connectionProperties = {
  url: text()
    .optional()
    .describe(
      'The address of the repository: `https://…`, `ssh://…`, `git@host:path`, or `file://…` inside the allowed paths of the server.',
    ),
  username: text().optional().describe('The user, for HTTP and SSH.'),
  password: text().optional().describe('The password or access token, for HTTP.'),
  privateKey: text().optional().describe('The private key for SSH, as PEM text.'),
  passphrase: text().optional().describe('The passphrase of the private key.'),
  trustedCaPemPath: text()
    .optional()
    .describe('A file of the worker with certificates in PEM format that are trusted in addition.'),
  noProxy: flag()
    .optional()
    .describe('Accepted for compatibility: connections never go through a proxy of the environment.'),
  connectTimeout: integer({ min: 1 })
    .default(10_000)
    .describe('How long to wait for a connection, in milliseconds.'),
  readTimeout: integer({ min: 1 })
    .default(60_000)
    .describe('How long the server may send nothing, in milliseconds.'),
  gitConfig: mapOf(anything())
    .optional()
    .describe('Git settings such as `core.autocrlf: input`; settings that run programs are refused.'),
};

/** Accepted from flows that were written for Kestra. */
const serverProperties = {
  kestraUrl: deprecated(text().optional(), 'the task works on this server, without an address.'),
  auth: deprecated(
    part({
      username: text().optional().describe('Not needed.'),
      password: text().optional().describe('Not needed.'),
      apiToken: text().optional().describe('Not needed.'),
      auto: flag().optional().describe('Not needed.'),
    }).optional(),
    'the task works on this server, without credentials.',
  ),
};

const cloneSubmodules = flag().default(false).describe('Also fetch the submodules.');

export const repositoryProperties = { ...connectionProperties, ...serverProperties, cloneSubmodules };

const author = {
  authorName: text().optional().describe('The author of the commit; `username` when absent.'),
  authorEmail: text().optional().describe('The email address of the author.'),
};

const dryRun = flag().default(false).describe('Only write the list of changes; change nothing.');

export const branchProperty = () => text().default('main').describe('The branch.');

/** The properties of every push task. */
export const pushProperties = {
  ...repositoryProperties,
  branch: text().default('main').describe('The branch to push to; created when it does not exist.'),
  ...author,
  dryRun,
  commitMessage: text().optional().describe('The message of the commit.'),
  delete: flag().default(true).describe('Remove files from the Git directory that no longer exist here.'),
};

/** The properties of every sync task. */
export const syncProperties = {
  ...repositoryProperties,
  branch: text().default('main').describe('The branch to read.'),
  dryRun,
  failOnMissingDirectory: flag()
    .default(true)
    .describe('Fail when the Git directory does not exist in the repository.'),
};

export const twoWayProperties = {
  ...repositoryProperties,
  branch: text().describe('The branch; created when it does not exist.'),
  gitDirectory: text().optional().describe('The folder of the repository; its root when absent.'),
  sourceOfTruth: z
    .preprocess((value) => (value === 'MILLRACE' ? 'KESTRA' : value), z.enum(['GIT', 'KESTRA']))
    .default('KESTRA')
    .describe(
      '`KESTRA` writes the state of this server to Git, `GIT` writes the state of Git to this server.',
    ),
  whenMissingInSource: z
    .enum(['DELETE', 'KEEP', 'FAIL'])
    .default('DELETE')
    .describe('What to do with an object of the target that the source does not have.'),
  protectedNamespaces: listOf(text())
    .default(['system'])
    .describe('Namespaces on this server from which nothing is deleted.'),
  dryRun,
  onInvalidSyntax: z
    .enum(['SKIP', 'WARN', 'FAIL'])
    .default('FAIL')
    .describe('What to do with a flow or dashboard of Git that is not valid.'),
  commitMessage: text().optional().describe('The message of the commit.'),
  ...author,
};

const Connection = z.object(connectionProperties);
export type ConnectionInput = z.infer<typeof Connection>;
const Repository = z.object(repositoryProperties);
export type RepositoryInput = z.infer<typeof Repository>;
const Push = z.object(pushProperties);
export type PushInput = z.infer<typeof Push>;

export const commitOutput = {
  commitId: z.string().optional().describe('The commit; absent when nothing has changed or in a dry run.'),
  commitURL: z.string().optional().describe('The web page of the commit.'),
};

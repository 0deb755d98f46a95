import { randomUUID } from 'node:crypto';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  messageOf,
  openRelay,
  ownPrefix,
  type Relay,
  type TaskContext,
  TaskFailed,
  toAllowedPath,
  writeInside,
} from '@millrace/plugin-kit';
import { readGitConfig } from './gitConfig.ts';
import type { ConnectionInput } from './gitProperties.ts';
import { openHttpProxy } from './httpProxy.ts';
import { type RepositoryUrl, readRepositoryUrl } from './repositoryUrl.ts';

type SessionInput = ConnectionInput & {
  readonly authorName?: string | undefined;
  readonly authorEmail?: string | undefined;
};

/** The `git` program with the credentials and the network of one task. */
export interface GitSession {
  readonly url: RepositoryUrl;
  /** A folder of this task alone, removed at the end; `git add` ignores it. */
  readonly folder: string;
  /** Runs a command and returns its output; throws Git's message on failure. */
  git(args: readonly string[], options?: { readonly in?: string }): Promise<string>;
  /** Writes the settings of `gitConfig` into a repository. */
  configure(repository: string): Promise<void>;
}

const maxOutputBytes = 64 * 1024 * 1024;

/** Opens the way to the repository, hands the session over, and removes keys and connections at the end. */
export async function withGit<T>(
  context: TaskContext,
  input: SessionInput,
  work: (session: GitSession) => Promise<T>,
): Promise<T> {
  const url = readRepositoryUrl(input.url, input.username);
  const settings = readGitConfig(input.gitConfig);
  if (url.kind === 'file') await toAllowedPath(context, url.path, 'git.Clone');
  for (const secret of [input.password, input.passphrase]) if (secret) context.masker.add(secret);
  const workingDirectory = await context.workingDirectory();
  const folder = join(workingDirectory, `${ownPrefix}git-${randomUUID()}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const relay = await openWay(context, url, input);
  try {
    const env = await environmentOf({ url, folder, workingDirectory, input, relay });
    const git: GitSession['git'] = (args, options) =>
      runGit(context, { args, env, folder: options?.in ?? workingDirectory, relay, url, input });
    const configure = async (repository: string) => {
      for (const [name, value] of settings) {
        if (value !== undefined) await git(['config', name, value], { in: repository });
        else await git(['config', '--unset-all', name], { in: repository }).catch(() => '');
      }
    };
    return await work({ url, folder, git, configure });
  } finally {
    await relay?.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function openWay(
  context: TaskContext,
  url: RepositoryUrl,
  { connectTimeout }: ConnectionInput,
): Promise<Relay | undefined> {
  if (url.kind === 'http') return openHttpProxy(context, connectTimeout);
  if (url.kind === 'file') return undefined;
  return openRelay(context, { host: url.host, port: url.port, timeoutMs: connectTimeout });
}

interface Surroundings {
  readonly url: RepositoryUrl;
  readonly folder: string;
  readonly workingDirectory: string;
  readonly input: SessionInput;
  readonly relay: Relay | undefined;
}

/** Git reads these variables only: the files of the system and of the user are left out. */
async function environmentOf(around: Surroundings): Promise<Readonly<Record<string, string>>> {
  const { url, folder, workingDirectory, input, relay } = around;
  const exclude = await writeInside(folder, 'exclude', `${ownPrefix}*\n`);
  const config: [string, string][] = [
    ['safe.directory', '*'],
    ['core.hooksPath', '/dev/null'],
    ['core.excludesFile', exclude],
    ['advice.detachedHead', 'false'],
    ['init.defaultBranch', 'main'],
    ['credential.helper', ''],
    ['http.lowSpeedLimit', '1'],
    ['http.lowSpeedTime', String(Math.max(1, Math.ceil(input.readTimeout / 1_000)))],
  ];
  if (input.password !== undefined) {
    const helper =
      '!f() { test "$1" = get && printf "username=%s\\npassword=%s\\n" "$MILLRACE_GIT_USERNAME" "$MILLRACE_GIT_PASSWORD"; }; f';
    config.push(['credential.helper', helper]);
  }
  if (url.kind === 'http' && relay) config.push(['http.proxy', `http://${relay.host}:${relay.port}`]);
  if (input.trustedCaPemPath !== undefined)
    config.push(['http.sslCAInfo', resolve(workingDirectory, input.trustedCaPemPath)]);
  const name = input.authorName ?? input.username ?? 'Millrace';
  config.push(['user.name', name], ['user.email', input.authorEmail ?? 'millrace@localhost']);
  return {
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ALLOW_PROTOCOL: url.kind === 'file' ? 'file' : 'http:https:ssh',
    LC_ALL: 'C.UTF-8',
    ...asVariables(config),
    ...(input.password === undefined
      ? {}
      : { MILLRACE_GIT_USERNAME: input.username ?? 'git', MILLRACE_GIT_PASSWORD: input.password }),
    ...(url.kind === 'ssh' && relay ? await sshEnvironment(folder, input, relay) : {}),
  };
}

const asVariables = (config: readonly (readonly [string, string])[]): Record<string, string> =>
  Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(config.length)],
    ...config.flatMap(([name, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, name],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ]);

/** The key is in a file that only this task can read; the passphrase stays in the process environment. */
async function sshEnvironment(
  folder: string,
  input: SessionInput,
  relay: Relay,
): Promise<Record<string, string>> {
  const answer = input.privateKey === undefined ? input.password : input.passphrase;
  const options = [
    '-F /dev/null',
    `-o HostName=${relay.host}`,
    `-o Port=${relay.port}`,
    // The relay's address changes each time, so there is no known host key to compare with.
    '-o StrictHostKeyChecking=no',
    '-o UserKnownHostsFile=/dev/null',
    '-o LogLevel=ERROR',
    '-o NumberOfPasswordPrompts=1',
    `-o ConnectTimeout=${Math.max(1, Math.ceil(input.connectTimeout / 1_000))}`,
    `-o ServerAliveInterval=${Math.max(1, Math.ceil(input.readTimeout / 3_000))}`,
    ...(answer === undefined ? ['-o BatchMode=yes'] : []),
  ];
  if (input.privateKey === undefined) options.push('-o PubkeyAuthentication=no');
  else {
    const key = await writeInside(folder, 'key', `${input.privateKey.trim()}\n`);
    await chmod(key, 0o600);
    options.push(`-i '${key}'`, '-o IdentitiesOnly=yes', '-o PreferredAuthentications=publickey');
  }
  const askpass = await writeInside(folder, 'askpass', '#!/bin/sh\nprintf "%s\\n" "$MILLRACE_SSH_ANSWER"\n');
  await chmod(askpass, 0o700);
  return {
    GIT_SSH_COMMAND: `ssh ${options.join(' ')}`,
    GIT_SSH_VARIANT: 'ssh',
    ...(answer === undefined
      ? {}
      : { SSH_ASKPASS: askpass, SSH_ASKPASS_REQUIRE: 'force', DISPLAY: ':0', MILLRACE_SSH_ANSWER: answer }),
  };
}

interface GitRun {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly relay: Relay | undefined;
  readonly url: RepositoryUrl;
  readonly input: SessionInput;
}

async function runGit(context: TaskContext, run: GitRun): Promise<string> {
  const out: Uint8Array[] = [];
  const errors: Uint8Array[] = [];
  let kept = 0;
  const end = await context
    .spawn({
      command: ['git', ...run.args],
      workingDirectory: run.folder,
      env: run.env,
      maxStreamBytes: maxOutputBytes,
      graceMs: 1_000,
      signal: context.signal,
      onStdout: (chunk) => void out.push(chunk),
      onStderr: (chunk) => {
        kept += chunk.length;
        if (kept < 100_000) errors.push(chunk);
      },
    })
    .catch((error: unknown) => {
      context.signal.throwIfAborted();
      throw new TaskFailed(`The program "git" cannot be started on the worker: ${messageOf(error)}`);
    });
  context.signal.throwIfAborted();
  if (end.exitCode === 0) return Buffer.concat(out).toString('utf8');
  throw explain(run, Buffer.concat(errors).toString('utf8'), end.exitCode);
}

/** Explains the failure in the user's terms where Git's own message does not. */
function explain({ args, relay, url, input }: GitRun, printed: string, exitCode: number | null): TaskFailed {
  const refused = relay?.failure();
  const lines = printed
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter(
      (line) => line !== '' && !/^(Cloning into|remote: (Enumerating|Counting|Compressing|Total))/.test(line),
    );
  const text = lines.join(' ').slice(0, 2_000);
  const verb = args.find((arg) => !arg.startsWith('-')) ?? 'git';
  if (refused) return new TaskFailed(`git ${verb}: ${refused.message}`, { cause: refused });
  const place = url.text.replace(/\/\/[^/@]*@/, '//');
  if (
    /Authentication failed|could not read Username|Permission denied|HTTP.*40[13]|Invalid username/i.test(
      text,
    )
  ) {
    const how = input.privateKey ? 'the private key' : input.password ? 'the password' : 'no credentials';
    return new TaskFailed(`Access to ${place} was denied with ${how}: ${text}`, { retry: false });
  }
  if (/rejected|non-fast-forward|fetch first/i.test(text) && verb === 'push')
    return new TaskFailed(
      `The push to ${place} was rejected and nothing was changed there. The branch may have new commits: run the task again. Git says: ${text}`,
    );
  return new TaskFailed(`git ${verb} failed with exit code ${exitCode}: ${text || 'no message'}`);
}

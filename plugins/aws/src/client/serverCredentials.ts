/**
 * The credentials of the server, in the order of AWS tools: environment, web identity, profile (keys, role,
 * SSO, process), container, instance. Only the administrator of the server can configure them, so the
 * addresses are called directly; the outbound policy denies flows access to the metadata addresses.
 */

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf, type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import { z } from 'zod';
import type { Credentials } from './awsClient.ts';
import { type Profile, readProfile } from './profiles.ts';
import { assumeRole, assumeRoleWithToken } from './sts.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export async function findServerCredentials(
  context: TaskContext,
  env: Environment = process.env,
): Promise<Credentials> {
  const region = env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? 'us-east-1';
  const sources = [fromEnvironment, fromWebIdentity, fromProfile, fromContainer, fromInstance];
  try {
    for (const source of sources) {
      const found = await source(context, env, region);
      if (!found) continue;
      context.masker.add(found.secretAccessKey);
      return found;
    }
  } catch (error) {
    context.signal.throwIfAborted();
    throw missing(messageOf(error), error);
  }
  throw missing('The environment, the profile, the container and the instance have none.');
}

const missing = (reason: string, cause?: unknown) =>
  new TaskFailed(
    `No credentials: set "accessKeyId" and "secretKeyId", or give the server credentials. ${reason}`,
    { retry: false, cause },
  );

type Source = (context: TaskContext, env: Environment, region: string) => Promise<Credentials | undefined>;

const fromEnvironment: Source = async (_, env) =>
  toCredentials({
    AccessKeyId: env.AWS_ACCESS_KEY_ID,
    SecretAccessKey: env.AWS_SECRET_ACCESS_KEY,
    Token: env.AWS_SESSION_TOKEN,
  });

const fromWebIdentity: Source = async (context, env, region) => {
  const { AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_ROLE_ARN: arn } = env;
  if (!file || !arn) return undefined;
  const sessionName = env.AWS_ROLE_SESSION_NAME ?? 'millrace';
  const endpoint = env.AWS_ENDPOINT_URL_STS;
  return assumeRoleWithToken(context, { arn, sessionName, region, endpoint }, await readToken(file));
};

const readToken = async (file: string): Promise<string> => (await readFile(file, 'utf8')).trim();

const fromProfile: Source = (context, env, region) =>
  ofProfile(context, env, env.AWS_PROFILE ?? 'default', region, []);

async function ofProfile(
  context: TaskContext,
  env: Environment,
  name: string,
  region: string,
  seen: readonly string[],
): Promise<Credentials | undefined> {
  const profile = await readProfile(env, name);
  if (!profile) {
    if (env.AWS_PROFILE || seen.length > 0) throw new Error(`There is no profile "${name}".`);
    return undefined;
  }
  if (profile.role_arn && !seen.includes(name)) {
    const role = {
      arn: profile.role_arn,
      sessionName: profile.role_session_name ?? 'millrace',
      externalId: profile.external_id,
      region: profile.region ?? region,
      endpoint: env.AWS_ENDPOINT_URL_STS,
    };
    if (profile.web_identity_token_file)
      return assumeRoleWithToken(context, role, await readToken(profile.web_identity_token_file));
    const base = profile.source_profile
      ? await ofProfile(context, env, profile.source_profile, region, [...seen, name])
      : await bySource(context, env, profile.credential_source, region);
    if (!base) throw new Error(`The profile "${name}" has no credentials to assume its role with.`);
    return assumeRole(context, role, async () => base);
  }
  const keys = toCredentials({
    AccessKeyId: profile.aws_access_key_id,
    SecretAccessKey: profile.aws_secret_access_key,
    Token: profile.aws_session_token,
  });
  if (keys) return keys;
  if (profile.sso_account_id) return fromSso(context, env, profile);
  return profile.credential_process ? fromProcess(profile.credential_process) : undefined;
}

async function bySource(context: TaskContext, env: Environment, source: string | undefined, region: string) {
  if (source === 'Environment') return fromEnvironment(context, env, region);
  if (source === 'EcsContainer') return fromContainer(context, env, region);
  if (source === 'Ec2InstanceMetadata') return fromInstance(context, env, region);
  throw new Error(`A profile has the unknown "credential_source" ${source}.`);
}

/** The program of the profile prints credentials as JSON. */
async function fromProcess(command: string): Promise<Credentials | undefined> {
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command], { timeout: 60_000 });
  return toCredentials(Answer.parse(JSON.parse(stdout)));
}

/** Someone has logged in with `aws sso login`, which leaves a token in a file. */
async function fromSso(
  context: TaskContext,
  env: Environment,
  profile: Profile,
): Promise<Credentials | undefined> {
  const session = profile.sso_session
    ? await readProfile(env, profile.sso_session, 'sso-session')
    : undefined;
  const region = session?.sso_region ?? profile.sso_region ?? '';
  const key = profile.sso_session ?? profile.sso_start_url ?? '';
  const name = `${createHash('sha1').update(key).digest('hex')}.json`;
  const text = await readFile(join(homedir(), '.aws', 'sso', 'cache', name), 'utf8');
  const { accessToken } = z.looseObject({ accessToken: z.string() }).parse(JSON.parse(text));
  const query = new URLSearchParams({
    account_id: profile.sso_account_id ?? '',
    role_name: profile.sso_role_name ?? '',
  });
  const response = await context.fetch({
    url: `https://portal.sso.${region}.amazonaws.com/federation/credentials?${query}`,
    headers: { 'x-amz-sso_bearer_token': accessToken },
    signal: context.signal,
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString('utf8');
  if (response.status >= 300) throw new Error(`The SSO session is not valid: ${body.slice(0, 200)}`);
  const { roleCredentials: found } = z.object({ roleCredentials: SsoAnswer }).parse(JSON.parse(body));
  return { ...found, expiresAt: found.expiration };
}

const SsoAnswer = z.object({
  accessKeyId: z.string(),
  secretAccessKey: z.string(),
  sessionToken: z.string(),
  expiration: z.number(),
});

const Answer = z.looseObject({
  AccessKeyId: z.string().optional(),
  SecretAccessKey: z.string().optional(),
  Token: z.string().optional(),
  SessionToken: z.string().optional(),
  Expiration: z.string().optional(),
});

function toCredentials(answer: z.infer<typeof Answer>): Credentials | undefined {
  const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, Expiration } = answer;
  if (!accessKeyId || !secretAccessKey) return undefined;
  return {
    accessKeyId,
    secretAccessKey,
    sessionToken: answer.Token ?? answer.SessionToken,
    expiresAt: Expiration === undefined ? undefined : Date.parse(Expiration),
  };
}

/** ECS and EKS provide a container with a credentials address, and sometimes a token for it. */
const fromContainer: Source = async ({ signal }, env) => {
  const path = env.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI;
  const url = path ? `http://169.254.170.2${path}` : env.AWS_CONTAINER_CREDENTIALS_FULL_URI;
  if (!url) return undefined;
  const file = env.AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE;
  const token = file ? await readToken(file) : env.AWS_CONTAINER_AUTHORIZATION_TOKEN;
  const text = await ask(url, signal, token ? { headers: { authorization: token } } : {});
  return toCredentials(Answer.parse(JSON.parse(text)));
};

/** Credentials of an EC2 instance; on any other machine this address does not respond. */
const fromInstance: Source = async ({ signal }, env) => {
  if (env.AWS_EC2_METADATA_DISABLED === 'true') return undefined;
  const base = `${env.AWS_EC2_METADATA_SERVICE_ENDPOINT ?? 'http://169.254.169.254'}/latest`;
  const ttl = { 'x-aws-ec2-metadata-token-ttl-seconds': '300' };
  const token = await ask(`${base}/api/token`, signal, { method: 'PUT', headers: ttl }).catch(
    () => undefined,
  );
  if (token === undefined) return undefined;
  const headers = { 'x-aws-ec2-metadata-token': token };
  const roles = `${base}/meta-data/iam/security-credentials`;
  const role = (await ask(`${roles}/`, signal, { headers })).split('\n')[0] ?? '';
  return toCredentials(Answer.parse(JSON.parse(await ask(`${roles}/${role}`, signal, { headers }))));
};

interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function ask(url: string, signal: AbortSignal, options: Ask): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { timeout: 1_000, signal, ...options }, async (response) => {
      try {
        const chunks: Uint8Array[] = [];
        for await (const chunk of response) chunks.push(chunk);
        const text = Buffer.concat(chunks).toString('utf8');
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${url} responded with status ${response.statusCode}.`));
      } catch (error) {
        reject(error);
      }
    });
    sent.on('timeout', () => sent.destroy(new Error(`${url} did not respond.`)));
    sent.on('error', reject);
    sent.end();
  });
}

import { mapIn, type TaskContext, TaskFailed, textOf } from '@millrace/plugin-kit';
import { createRestClient } from '@millrace/plugin-saas/rest';
import type { Keys } from './sign.ts';

export interface TemporaryCredentials {
  readonly authMethod: 'PASSWORD' | 'TOKEN';
  readonly iamToken?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly domainName?: string | undefined;
  readonly scope: 'PROJECT' | 'DOMAIN';
  readonly projectName?: string | undefined;
  readonly durationSeconds: number;
  readonly endpointSuffix: string;
}

export interface TemporaryKeys extends Keys {
  readonly securityToken: string;
  readonly expiresAt: number;
}

/** Logs in at IAM and exchanges the token for keys that expire. */
export async function requestTemporaryKeys(
  context: TaskContext,
  login: TemporaryCredentials,
  region: string,
): Promise<TemporaryKeys> {
  const { iamToken, password } = login;
  for (const secret of [iamToken, password]) if (secret) context.masker.add(secret);
  const client = createRestClient(context, {
    name: 'IAM',
    baseUrl: `https://iam.${region}.${login.endpointSuffix}`,
  });
  const token = login.authMethod === 'TOKEN' ? required(iamToken, 'the IAM token') : await logIn();
  context.masker.add(token);
  const { credential } = await client.ask({
    method: 'POST',
    path: '/v3.0/OS-CREDENTIAL/securitytokens',
    headers: { 'x-auth-token': token },
    body: {
      auth: {
        identity: { methods: ['token'], token: { id: token, duration_seconds: login.durationSeconds } },
      },
    },
  });
  const { access, secret, securitytoken, expires_at: expires } = mapIn(credential);
  const keys = {
    accessKeyId: textOf(access) ?? '',
    secretAccessKey: textOf(secret) ?? '',
    securityToken: textOf(securitytoken) ?? '',
    expiresAt: Date.parse(textOf(expires) ?? ''),
  };
  if (keys.accessKeyId === '' || Number.isNaN(keys.expiresAt))
    throw new TaskFailed('IAM did not return temporary keys.', { retry: false });
  context.masker.add(keys.secretAccessKey);
  context.masker.add(keys.securityToken);
  return keys;

  async function logIn(): Promise<string> {
    const { username, domainName, scope, projectName } = login;
    const domain = { name: required(domainName, '"domainName"') };
    const user = {
      name: required(username, '"username"'),
      password: required(password, '"password"'),
      domain,
    };
    const { headers } = await client.send({
      method: 'POST',
      path: '/v3/auth/tokens',
      body: {
        auth: {
          identity: { methods: ['password'], password: { user } },
          scope: scope === 'DOMAIN' ? { domain } : { project: { name: projectName ?? region } },
        },
      },
    });
    return required(headers['x-subject-token']?.[0], 'a token in the response of IAM');
  }
}

function required(value: string | undefined, what: string): string {
  if (value) return value;
  throw new TaskFailed(`The login at IAM needs ${what}.`, { retry: false });
}

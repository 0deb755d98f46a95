import type { TaskContext } from '@millrace/plugin-kit';
import { readXml, textAt, type XmlElement } from '@millrace/plugin-kit';
import { AwsClient, type Credentials, readText } from './awsClient.ts';
import { endpointOf, services } from './services.ts';

export interface Role {
  readonly arn: string;
  readonly sessionName: string;
  readonly externalId?: string | undefined;
  readonly durationMs?: number | undefined;
  readonly region: string;
  readonly endpoint?: string | undefined;
}

const stsEndpoint = ({ endpoint, region }: Role) => endpoint ?? endpointOf(services.sts, region);

export async function assumeRole(
  context: TaskContext,
  role: Role,
  base: () => Promise<Credentials>,
): Promise<Credentials> {
  const { region } = role;
  const endpoint = stsEndpoint(role);
  const sts = new AwsClient({ context, service: services.sts, region, endpoint, credentials: base });
  const result = await sts.query('AssumeRole', {
    RoleArn: role.arn,
    RoleSessionName: role.sessionName.slice(0, 64),
    ExternalId: role.externalId,
    DurationSeconds: role.durationMs === undefined ? undefined : String(Math.round(role.durationMs / 1000)),
  });
  return toCredentials(context, result);
}

/** The token authenticates the caller, so the request is not signed. */
export async function assumeRoleWithToken(
  context: TaskContext,
  role: Role,
  token: string,
): Promise<Credentials> {
  const form = new URLSearchParams({
    Action: 'AssumeRoleWithWebIdentity',
    Version: services.sts.queryVersion,
    RoleArn: role.arn,
    RoleSessionName: role.sessionName.slice(0, 64),
    WebIdentityToken: token,
  });
  const response = await context.fetch({
    url: stsEndpoint(role),
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
    signal: context.signal,
  });
  const xml = await readXml(await readText(response));
  if (response.status >= 300)
    throw new Error(`STS refused the web identity for ${role.arn}: ${textAt(xml, 'Error', 'Message')}`);
  return toCredentials(context, xml.children.find(({ name }) => name.endsWith('Result')) ?? xml);
}

function toCredentials(context: TaskContext, result: XmlElement): Credentials {
  const at = (name: string) => textAt(result, 'Credentials', name) ?? '';
  for (const secret of [at('SecretAccessKey'), at('SessionToken')]) if (secret) context.masker.add(secret);
  return {
    accessKeyId: at('AccessKeyId'),
    secretAccessKey: at('SecretAccessKey'),
    sessionToken: at('SessionToken'),
    expiresAt: Date.parse(at('Expiration')) || undefined,
  };
}

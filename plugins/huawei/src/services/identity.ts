import { mapIn, TaskFailed, textOf } from '@millrace/plugin-kit';
import { defineService, may, need, out, preset, sealedOutput } from '@millrace/plugin-saas/rest';
import { defaultSuffix, huaweiService, regionOf, type Types } from '../client/connection.ts';
import { requestTemporaryKeys } from '../client/iam.ts';

const iam = defineService({
  name: 'IAM',
  prefix: 'huawei',
  properties: {
    region: need.text('The region, such as `eu-west-101`.'),
    endpointSuffix: preset.text(defaultSuffix, 'The domain of IAM.'),
  },
  baseUrl: ({ region, endpointSuffix }) => `https://iam.${regionOf(region)}.${endpointSuffix}`,
  example: { region: 'eu-west-101' },
});

const getTemporaryCredentials = iam.task({
  type: 'iam.GetTemporaryCredentials',
  aliases: ['huawei.iam.tasks.GetTemporaryCredentials'],
  title: 'Get temporary keys from IAM',
  description:
    'Logs in with name and password, or with an IAM token, and returns keys that expire. Pass them to other tasks as `accessKeyId`, `secretAccessKey` and `securityToken`. Logs never show them.',
  properties: {
    authMethod: preset.choice(['PASSWORD', 'TOKEN'], 'PASSWORD', 'How to log in.'),
    durationSeconds: preset.integer(900, 'How long the keys are valid, in seconds: 900 to 86,400.'),
    token: may.secret('The IAM token, for `TOKEN`.'),
    username: may.text('The IAM user, for `PASSWORD`.'),
    password: may.secret('The password of the user.'),
    domainName: may.text('The account of the user.'),
    scope: preset.choice(['PROJECT', 'DOMAIN'], 'PROJECT', 'What the login is valid for.'),
    projectName: may.text('The project; the one of the region when absent.'),
  },
  output: {
    accessKeyId: out.text('The access key.'),
    secretAccessKey: out.text('The secret key.'),
    securityToken: out.text('The security token.'),
    expirationTime: out.text('When the keys expire.'),
  },
  run: async (_, { token, region, ...login }, context) => {
    const { expiresAt, ...keys } = await requestTemporaryKeys(
      context,
      { ...login, iamToken: token },
      regionOf(region),
    );
    return { ...keys, expirationTime: new Date(expiresAt).toISOString() };
  },
  example: {
    username: 'flows',
    password: "{{ secret('HUAWEI_PASSWORD') }}",
    domainName: 'company',
  },
});

const swr = huaweiService('SoftWare Repository for Container', 'swr-api');

const getAuthToken = swr.task({
  type: 'swr.GetAuthToken',
  title: 'Get a login for SWR',
  description:
    'Returns name and password of the container registry, for `docker login` or the credentials of a Docker task. They expire after a day at most. The password is stored encrypted when the server has an encryption key.',
  properties: { projectName: may.text('The project; the one of the region when absent.') },
  output: {
    username: out.text('The name.'),
    password: out.any('The password.'),
    registry: out.text('The host of the registry.'),
    expiry: out.text('When the login expires.'),
  },
  run: async (client, { projectName, region }, context) => {
    const { body, headers } = await client.send({
      method: 'POST',
      path: '/v2/manage/utils/secret',
      query: { projectname: projectName ?? region },
    });
    const [[registry, login] = []] = Object.entries(mapIn(mapIn(body).auths));
    const pair = Buffer.from(textOf(mapIn(login).auth) ?? '', 'base64').toString('utf8');
    const split = pair.indexOf(':');
    if (registry === undefined || split < 0)
      throw new TaskFailed('SWR did not return a login.', { retry: false });
    const expiry = headers['x-expireat']?.[0];
    return {
      username: pair.slice(0, split),
      password: sealedOutput(context, pair.slice(split + 1)),
      registry,
      ...(expiry !== undefined && { expiry: readExpiry(expiry) }),
    };
  },
  example: {},
});

/** The service writes a date without its zone, which is UTC. */
function readExpiry(written: string): string {
  const at = Date.parse(/[zZ]$|[+-]\d\d:?\d\d$/.test(written) ? written : `${written}Z`);
  return Number.isNaN(at) ? written : new Date(at).toISOString();
}

export const identityTypes: Types = [getTemporaryCredentials, getAuthToken];

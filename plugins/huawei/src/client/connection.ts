import {
  choice,
  type Definition,
  integer,
  type OutboundRequest,
  part,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import {
  createRestClient,
  defineService,
  type InputOf,
  may,
  type Property,
} from '@millrace/plugin-saas/rest';
import { requestTemporaryKeys, type TemporaryCredentials } from './iam.ts';
import { type Keys, signHeaders } from './sign.ts';

export const defaultSuffix = 'myhuaweicloud.com';

const temporaryCredentials: Property<TemporaryCredentials | undefined> = {
  schema: () =>
    part({
      authMethod: choice(['PASSWORD', 'TOKEN'])
        .default('PASSWORD')
        .describe('Log in with name and password, or with an IAM token.'),
      iamToken: text().optional().describe('The IAM token, for `TOKEN`.'),
      username: text().optional().describe('The IAM user, for `PASSWORD`.'),
      password: text().optional().describe('The password of the user.'),
      domainName: text().optional().describe('The account of the user.'),
      scope: choice(['PROJECT', 'DOMAIN']).default('PROJECT').describe('What the login is valid for.'),
      projectName: text().optional().describe('The project; the one of the region when absent.'),
      durationSeconds: integer({ min: 900, max: 86_400 })
        .default(900)
        .describe('How long the credentials are valid, in seconds.'),
      endpointSuffix: text().default(defaultSuffix).describe('The domain of IAM.'),
    })
      .optional()
      .describe(
        'A login at IAM that is exchanged for temporary keys, instead of `accessKeyId` and `secretAccessKey`.',
      ),
};

/** How a task reaches Huawei Cloud. */
export const connection = {
  accessKeyId: may.text('The access key (AK).'),
  secretAccessKey: may.secret('The secret key (SK).'),
  securityToken: may.secret('The security token of temporary keys.'),
  projectId: may.text('The id of the project; looked up by the name of the region when absent.'),
  domainId: may.text('The id of the account, for services that belong to no project.'),
  region: may.text('The region, such as `eu-west-101`.'),
  temporaryCredentials,
};

export type Connection = InputOf<typeof connection>;

export const endpointOverride = may.text('The address of the service instead of the one of the region.');
export const endpointSuffix = may.text(`The domain of the service; \`${defaultSuffix}\` when absent.`);
export const endpoints = { endpointOverride, endpointSuffix };

interface Endpoint extends Pick<Connection, 'region'> {
  readonly endpointOverride?: string | undefined;
  readonly endpointSuffix?: string | undefined;
}

/** The address of a service: the given one, or that of the region. */
export function addressOf(service: string, { region, ...given }: Endpoint): string {
  if (given.endpointOverride)
    return /^https?:\/\//.test(given.endpointOverride)
      ? given.endpointOverride
      : `https://${given.endpointOverride}`;
  return `https://${service}.${regionOf(region)}.${given.endpointSuffix ?? defaultSuffix}`;
}

export function regionOf(region: string | undefined): string {
  if (region === undefined)
    throw new TaskFailed('"region" must be given, such as "eu-west-101".', { retry: false });
  if (!/^[a-z0-9-]+$/.test(region))
    throw new TaskFailed(`"${region}" is not a region; it must look like "eu-west-101".`, { retry: false });
  return region;
}

export type KeyInput = Pick<
  Connection,
  'accessKeyId' | 'secretAccessKey' | 'securityToken' | 'temporaryCredentials' | 'region'
>;

/** The keys of a task. Temporary ones are requested once, and again shortly before they expire. */
export function keysOf(context: TaskContext, input: KeyInput): () => Promise<Keys> {
  const { accessKeyId, secretAccessKey, securityToken } = input;
  if (accessKeyId !== undefined && secretAccessKey !== undefined) {
    context.masker.add(secretAccessKey);
    if (securityToken) context.masker.add(securityToken);
    return async () => ({ accessKeyId, secretAccessKey, securityToken });
  }
  const login = input.temporaryCredentials;
  if (!login)
    throw new TaskFailed('Give "accessKeyId" and "secretAccessKey", or "temporaryCredentials".', {
      retry: false,
    });
  let current: ReturnType<typeof requestTemporaryKeys> | undefined;
  return async () => {
    const found = await current;
    if (found && Date.now() < found.expiresAt - 60_000) return found;
    current = requestTemporaryKeys(context, login, regionOf(input.region));
    return current;
  };
}

/** Signs the requests of a task with its keys. */
export function signerOf(input: Connection, context: TaskContext) {
  const keys = keysOf(context, input);
  return async (request: OutboundRequest): Promise<Record<string, string>> => {
    const owner = {
      ...(input.projectId && { 'x-project-id': input.projectId }),
      ...(!input.projectId && input.domainId && { 'x-domain-id': input.domainId }),
    };
    const headers = { ...request.headers, ...owner };
    return { ...owner, ...signHeaders({ ...request, headers }, await keys(), new Date()) };
  };
}

/** The project in the paths of a service: the given one, or the one that is named after the region. */
export async function projectOf(
  context: TaskContext,
  input: Connection & {
    readonly endpointOverride?: string | undefined;
    readonly endpointSuffix?: string | undefined;
  },
): Promise<string> {
  if (input.projectId) return input.projectId;
  if (input.endpointOverride)
    throw new TaskFailed('"projectId" must be given together with "endpointOverride".', { retry: false });
  const region = regionOf(input.region);
  const client = createRestClient(context, {
    name: 'IAM',
    baseUrl: addressOf('iam', { region, endpointSuffix: input.endpointSuffix }),
    sign: signerOf(input, context),
  });
  const { projects } = await client.ask({ path: '/v3/projects', query: { name: region } });
  const [found] = Array.isArray(projects) ? projects : [];
  if (typeof found?.id === 'string') return found.id;
  throw new TaskFailed(`The account has no project named "${region}"; give "projectId".`, { retry: false });
}

export const connectionExample = {
  region: 'eu-west-101',
  projectId: "{{ secret('HUAWEI_PROJECT_ID') }}",
  accessKeyId: "{{ secret('HUAWEI_ACCESS_KEY_ID') }}",
  secretAccessKey: "{{ secret('HUAWEI_SECRET_ACCESS_KEY') }}",
};

/** A service of Huawei Cloud whose requests are signed. */
export const huaweiService = (name: string, host: string) =>
  defineService({
    name,
    prefix: 'huawei',
    properties: { ...connection, ...endpoints },
    baseUrl: (input) => addressOf(host, input),
    sign: signerOf,
    example: connectionExample,
  });

export type Types = readonly Definition[];

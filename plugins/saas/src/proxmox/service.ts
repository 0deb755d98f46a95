import {
  dropMissing,
  isMap,
  type JsonMap,
  mapIn,
  mapsIn,
  type TaskContext,
  TaskFailed,
  textOf,
} from '@millrace/plugin-kit';
import type { Auth } from '../rest/auth.ts';
import type { RestClient } from '../rest/client.ts';
import { out } from '../rest/outputs.ts';
import { may, need, preset, requestOptions, waiting } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';
import { waitFor } from '../rest/waitFor.ts';

const apiOf = (url: string): string =>
  `${(/^https?:\/\//.test(url) ? url : `https://${url}`).replace(/\/+$/, '').replace(/\/api2\/json$/, '')}/api2/json`;

export const proxmox = defineService({
  name: 'Proxmox VE',
  prefix: 'proxmox',
  properties: {
    url: need.text('The address of a node, such as `https://pve.example.com:8006`.'),
    tokenId: may.text('The id of an API token, such as `flows@pve!millrace`.'),
    tokenSecret: may.secret('The secret of the API token.'),
    username: may.text('The user, instead of an API token.'),
    password: may.secret('The password of the user.'),
    realm: preset.text('pam', 'The realm of a user that is written without one.'),
    insecureTrustAllCertificates: preset.flag(false, 'Do not check the certificate of the server.'),
    ...requestOptions,
  },
  baseUrl: ({ url }) => apiOf(url),
  isInsecure: ({ insecureTrustAllCertificates }) => insecureTrustAllCertificates,
  auth: ({ tokenId, tokenSecret, username, password, realm, url }) => {
    if (tokenId !== undefined && tokenSecret !== undefined)
      return { headers: { authorization: `PVEAPIToken=${tokenId}=${tokenSecret}` } };
    if (username === undefined || password === undefined)
      throw new TaskFailed('Give "tokenId" and "tokenSecret", or "username" and "password".', {
        retry: false,
      });
    return ticket(apiOf(url), username.includes('@') ? username : `${username}@${realm}`, password);
  },
  example: {
    url: 'https://pve.example.com:8006',
    tokenId: 'flows@pve!millrace',
    tokenSecret: "{{ secret('PROXMOX_TOKEN') }}",
  },
});

/** Tickets are valid for two hours. Requests that change something need the token against forged requests too. */
const ticketMs = 2 * 3_600_000;

const ticket = (api: string, username: string, password: string): Auth => ({
  token: async (ask) => {
    const response = await ask({ url: `${api}/access/ticket`, form: { username, password } });
    const { ticket: value, CSRFPreventionToken: prevention } = mapIn(mapIn(response).data);
    if (typeof value !== 'string')
      throw new TaskFailed('Proxmox VE did not return a ticket.', { retry: false });
    return { value: `${value} ${textOf(prevention) ?? ''}`, expiresInMs: ticketMs };
  },
  withToken: (both) => {
    const [value = '', prevention = ''] = both.split(' ');
    return { cookie: `PVEAuthCookie=${encodeURIComponent(value)}`, csrfpreventiontoken: prevention };
  },
});

/** Form fields: flags are 1 and 0, lists are separated by commas. */
export const toFields = (values: JsonMap): JsonMap =>
  Object.fromEntries(
    Object.entries(dropMissing(values)).map(([name, value]) => [
      name,
      typeof value === 'boolean' ? Number(value) : Array.isArray(value) ? value.join(',') : value,
    ]),
  );

/** The content of a response. */
export const dataOf = async (client: RestClient, path: string, query: JsonMap = {}): Promise<unknown> =>
  (await client.ask({ path, query: toFields(query) })).data;

export type Kind = 'qemu' | 'lxc';

export interface Guest {
  readonly kind: Kind;
  readonly node: string;
  readonly path: string;
}

/** Finds a guest: its node and its kind are looked up in the cluster unless given. */
export async function findGuest(
  client: RestClient,
  wanted: { readonly vmid: number; readonly node?: string | undefined; readonly kind?: Kind | undefined },
): Promise<Guest> {
  const { vmid } = wanted;
  let { node, kind } = wanted;
  if (node === undefined || kind === undefined) {
    const resources = mapsIn(await dataOf(client, '/cluster/resources', { type: 'vm' }));
    const found = resources.find((one) => Number(one.vmid) === vmid && (!kind || one.type === kind));
    if (!found) throw new TaskFailed(`There is no guest ${vmid} in the cluster.`, { retry: false });
    node ??= textOf(found.node) ?? '';
    kind ??= found.type === 'lxc' ? 'lxc' : 'qemu';
  }
  return { kind, node, path: `/nodes/${encodeURIComponent(node)}/${kind}/${vmid}` };
}

export const jobWaiting = waiting({ every: 'PT2S', atMost: 'PT1H' });

export const jobOutput = {
  upid: out.text('The id of the task in Proxmox VE.'),
  status: out.text('`running` or `stopped`.'),
  exitStatus: out.text('`OK`, or the warnings.'),
};

interface Waiting {
  readonly wait: boolean;
  readonly pollFrequency: number;
  readonly maxDuration: number;
}

export const statusPath = (upid: string): string => {
  const [, node = ''] = upid.split(':');
  if (!upid.startsWith('UPID:') || node === '')
    throw new TaskFailed(`"${upid}" is not the id of a task; it must look like "UPID:node:…".`, {
      retry: false,
    });
  return `/nodes/${encodeURIComponent(node)}/tasks/${encodeURIComponent(upid)}`;
};

/** Waits for the task of a request that changes something. A task that is killed stops it. */
export async function waitForJob(
  client: RestClient,
  context: TaskContext,
  upid: string,
  limits: Waiting,
): Promise<JsonMap> {
  const path = statusPath(upid);
  if (!limits.wait) return { upid, status: 'running' };
  const end = await waitFor(context, {
    what: `The task ${upid}`,
    everyMs: limits.pollFrequency,
    atMostMs: limits.maxDuration,
    poll: async () => {
      const found = mapIn(await dataOf(client, `${path}/status`));
      return found.status === 'stopped' ? found : undefined;
    },
  }).catch(async (error: unknown) => {
    if (context.signal.aborted)
      await client.send({ method: 'DELETE', path, afterKill: true }).catch(() => {});
    throw error;
  });
  const exitStatus = textOf(end.exitstatus) ?? '';
  if (exitStatus.startsWith('WARNINGS'))
    await context.log('WARN', `Proxmox VE finished with warnings: ${exitStatus}`);
  else if (exitStatus !== 'OK') throw await failureOf(client, path, exitStatus);
  return { upid, status: 'stopped', exitStatus };
}

/** The last lines of the log say more than the state. */
async function failureOf(client: RestClient, path: string, exitStatus: string): Promise<TaskFailed> {
  const lines = mapsIn(await dataOf(client, `${path}/log`, { limit: 500 }).catch(() => []));
  const last = lines
    .slice(-5)
    .map(({ t }) => textOf(t) ?? '')
    .join('\n');
  return new TaskFailed(`The task of Proxmox VE failed: ${exitStatus}${last === '' ? '' : `\n${last}`}`);
}

/** Sends a request that starts a task, and waits for its end. */
export async function runJob(
  client: RestClient,
  context: TaskContext,
  request: { method?: 'POST' | 'DELETE'; path: string; fields?: JsonMap },
  limits: Waiting,
): Promise<JsonMap> {
  const { method = 'POST', path, fields = {} } = request;
  const values = toFields(fields);
  const { data } = await client.ask({
    method,
    path,
    ...(method === 'DELETE' ? { query: values } : { form: values }),
  });
  // Small changes are done at once and have no task.
  if (typeof data !== 'string' || !data.startsWith('UPID:')) return {};
  return waitForJob(client, context, data, limits);
}

export const nodeProperty = may.text('The node of the guest; looked up when absent.');
export const vmidProperty = need.integer('The number of the guest.');

/** The rows of the cluster that are guests of a kind. */
export const guestRows =
  (kind: Kind) =>
  ({ body }: { readonly body: unknown }): readonly JsonMap[] =>
    mapsIn(isMap(body) ? body.data : undefined).filter(({ type }) => type === kind);

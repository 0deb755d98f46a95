import { type JsonMap, mapIn, mapsIn, TaskFailed } from '@millrace/plugin-kit';
import { bearer } from '../rest/auth.ts';
import type { RestClient } from '../rest/client.ts';
import { out } from '../rest/outputs.ts';
import { readRows } from '../rest/paging.ts';
import { may, need, preset, requestOptions } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';

const cloudflare = defineService({
  name: 'Cloudflare',
  prefix: 'cloudflare',
  properties: {
    apiToken: need.secret('An API token.'),
    baseUrl: preset.text('https://api.cloudflare.com/client/v4', 'The address of the API.'),
    ...requestOptions,
  },
  baseUrl: ({ baseUrl }) => baseUrl,
  auth: ({ apiToken }) => bearer(apiToken),
  example: { apiToken: "{{ secret('CLOUDFLARE_TOKEN') }}" },
});

const zone = { zoneId: need.text('The id of the zone.') };
const zoneExample = { zoneId: 'z1' };
const record = { recordId: need.text('The id of the record.') };
const content = {
  recordType: need.text('The type of the record, such as `A` or `CNAME`.'),
  name: need.text('The whole name, such as `www.example.com`.'),
  content: need.text('The value of the record.'),
  ttl: preset.integer(1, 'How long it may be cached, in seconds; 1 lets Cloudflare decide.'),
  proxied: preset.flag(false, 'Whether traffic goes through Cloudflare.'),
};
const contentExample = { ...zoneExample, recordType: 'A', name: 'www.example.com', content: '192.0.2.1' };
const recordOutput = {
  recordId: out.text('The id of the record.', 'result.id'),
  name: out.text('The name.', 'result.name'),
  type: out.text('The type.', 'result.type'),
  content: out.text('The value.', 'result.content'),
  ttl: out.integer('How long it may be cached.', 'result.ttl'),
  proxied: out.flag('Whether traffic goes through Cloudflare.', 'result.proxied'),
};

/** All rows of a list; lists of zones and records are short. */
async function listAll(
  client: RestClient,
  path: string,
  names: readonly string[],
  query: JsonMap = {},
): Promise<JsonMap[]> {
  const paging = { kind: 'page', parameter: 'page', sizeParameter: 'per_page', size: 50 } as const;
  const rows: JsonMap[] = [];
  for await (const row of readRows(client, { request: { path, query }, at: 'result', paging }))
    rows.push(
      Object.fromEntries(names.filter((name) => row[name] !== undefined).map((name) => [name, row[name]])),
    );
  return rows;
}

const recordFields = ['id', 'name', 'type', 'content', 'ttl', 'proxied'];

const purge = cloudflare.task({
  type: 'cache.Purge',
  title: 'Purge the cache of a zone of Cloudflare',
  description: 'Removes everything, single files or tags from the cache.',
  properties: {
    ...zone,
    purgeAll: preset.flag(false, 'Remove everything.'),
    files: may.texts('The addresses to remove.'),
    tags: may.texts('The cache tags to remove.'),
  },
  request: 'POST /zones/{zoneId}/purge_cache',
  body: ({ purgeAll, files, tags }) => {
    if (!purgeAll && !files?.length && !tags?.length)
      throw new TaskFailed('"purgeAll", "files" or "tags" must be given.', { retry: false });
    return purgeAll ? { purge_everything: true } : { files, tags };
  },
  output: { requestId: out.text('The id of the request.', 'result.id') },
  example: { ...zoneExample, files: ['https://example.com/style.css'] },
});

const create = cloudflare.task({
  type: 'dns.records.Create',
  title: 'Create a DNS record at Cloudflare',
  description: 'Creates a DNS record in a zone.',
  properties: { ...zone, ...content },
  request: 'POST /zones/{zoneId}/dns_records',
  body: { type: 'recordType', name: 'name', content: 'content', ttl: 'ttl', proxied: 'proxied' },
  output: recordOutput,
  example: contentExample,
});

const get = cloudflare.task({
  type: 'dns.records.Get',
  title: 'Get a DNS record of Cloudflare',
  description: 'Reads one DNS record.',
  properties: { ...zone, ...record },
  request: 'GET /zones/{zoneId}/dns_records/{recordId}',
  output: recordOutput,
  example: { ...zoneExample, recordId: 'r1' },
});

const remove = cloudflare.task({
  type: 'dns.records.Delete',
  title: 'Delete a DNS record of Cloudflare',
  description: 'Deletes one DNS record.',
  properties: { ...zone, ...record },
  request: 'DELETE /zones/{zoneId}/dns_records/{recordId}',
  output: { deletedId: out.text('The id of the record.', 'result.id') },
  example: { ...zoneExample, recordId: 'r1' },
});

const update = cloudflare.task({
  type: 'dns.records.Update',
  title: 'Update a DNS record of Cloudflare',
  description: 'Changes the given fields of a DNS record.',
  properties: {
    ...zone,
    ...record,
    recordType: may.text('The type of the record.'),
    name: may.text('The whole name.'),
    content: may.text('The value of the record.'),
    ttl: may.integer('How long it may be cached, in seconds.'),
    proxied: may.flag('Whether traffic goes through Cloudflare.'),
  },
  request: 'PATCH /zones/{zoneId}/dns_records/{recordId}',
  body: { type: 'recordType', name: 'name', content: 'content', ttl: 'ttl', proxied: 'proxied' },
  output: { id: out.text('The id of the record.', 'result.id') },
  example: { ...zoneExample, recordId: 'r1', content: '192.0.2.2' },
});

const upsert = cloudflare.task({
  type: 'dns.records.Upsert',
  title: 'Create or update a DNS record at Cloudflare',
  description: 'Changes the record with this type and name, or creates it. The output `action` says which.',
  properties: { ...zone, ...content },
  output: { ...recordOutput, action: out.text('`created`, `updated` or `unchanged`.') },
  run: async (client, { zoneId, recordType, name, content: value, ttl, proxied }) => {
    const path = `/zones/${encodeURIComponent(zoneId)}/dns_records`;
    const wanted = { type: recordType, name, content: value, ttl, proxied };
    const [existing] = mapsIn((await client.ask({ path, query: { type: recordType, name } })).result);
    const isSame =
      existing?.content === value && existing.ttl === ttl && (existing.proxied ?? false) === proxied;
    const stored = isSame
      ? existing
      : mapIn(
          (existing
            ? await client.ask({ method: 'PUT', path: `${path}/${existing.id}`, body: wanted })
            : await client.ask({ method: 'POST', path, body: wanted })
          ).result,
        );
    return {
      recordId: stored.id,
      name: stored.name,
      type: stored.type,
      content: stored.content,
      ttl: stored.ttl,
      proxied: stored.proxied,
      action: isSame ? 'unchanged' : existing ? 'updated' : 'created',
    };
  },
  example: contentExample,
});

const batch = cloudflare.task({
  type: 'dns.records.Batch',
  title: 'Change many DNS records of Cloudflare at once',
  description: 'Deletes, changes and creates records in one step: all of it, or nothing.',
  properties: {
    ...zone,
    posts: may.maps('Records to create: `type`, `name`, `content`, `ttl`, `proxied`.'),
    patches: may.maps('Records to change: `id` and the fields.'),
    deletes: may.maps('Records to delete: `id`.'),
  },
  request: 'POST /zones/{zoneId}/dns_records/batch',
  body: ['posts', 'patches', 'deletes'],
  output: { success: out.flag('Whether it succeeded.') },
  example: {
    ...zoneExample,
    deletes: [{ id: 'r1' }],
    posts: [{ type: 'A', name: 'a.example.com', content: '192.0.2.1' }],
  },
});

const list = cloudflare.task({
  type: 'dns.records.List',
  title: 'List the DNS records of a zone of Cloudflare',
  description: 'Lists all records of a zone.',
  properties: zone,
  output: { records: out.maps('The records.') },
  run: async (client, { zoneId }) => ({
    records: await listAll(client, `/zones/${encodeURIComponent(zoneId)}/dns_records`, recordFields),
  }),
  example: zoneExample,
});

const scope = {
  zoneId: may.text('The id of the zone; or `accountId`.'),
  accountId: may.text('The id of the account.'),
};
const rulesPath = ({
  zoneId,
  accountId,
}: {
  zoneId?: string | undefined;
  accountId?: string | undefined;
}): string => {
  if (!zoneId && !accountId) throw new TaskFailed('"zoneId" or "accountId" must be given.', { retry: false });
  return `/${zoneId ? `zones/${zoneId}` : `accounts/${accountId}`}/firewall/access_rules/rules`;
};

const createRule = cloudflare.task({
  type: 'waf.Create',
  title: 'Create an access rule at Cloudflare',
  description: 'Blocks, challenges or allows requests by address, range, network or country.',
  properties: {
    ...scope,
    mode: need.choice(
      ['BLOCK', 'CHALLENGE', 'WHITELIST', 'JS_CHALLENGE', 'MANAGED_CHALLENGE'],
      'What happens to requests.',
    ),
    target: need.choice(['IP', 'IP_RANGE', 'ASN', 'COUNTRY'], 'What the value is.'),
    value: need.text('The address, range, network or country.'),
    notes: may.text('A note.'),
  },
  request: (input) => `POST ${rulesPath(input)}`,
  body: ({ mode, target, value, notes }) => ({
    mode: mode.toLowerCase(),
    configuration: { target: target.toLowerCase(), value },
    notes,
  }),
  output: {
    ruleId: out.text('The id of the rule.', 'result.id'),
    mode: out.text('What happens to requests.', 'result.mode'),
    target: out.text('What the value is.', 'result.configuration.target'),
    value: out.text('The value.', 'result.configuration.value'),
  },
  example: { ...zoneExample, mode: 'BLOCK', target: 'IP', value: '198.51.100.4' },
});

const deleteRule = cloudflare.task({
  type: 'waf.Delete',
  title: 'Delete an access rule of Cloudflare',
  description: 'Deletes one access rule.',
  properties: { ...scope, ruleId: need.text('The id of the rule.') },
  request: (input) => `DELETE ${rulesPath(input)}/${encodeURIComponent(input.ruleId)}`,
  output: {
    ruleId: out.text('The id of the rule.', 'result.id'),
    deleted: out.flag('True: a missing rule fails the task.'),
  },
  result: () => ({ deleted: true }),
  example: { ...zoneExample, ruleId: 'rule1' },
});

const listRules = cloudflare.task({
  type: 'waf.List',
  title: 'List the access rules of a zone of Cloudflare',
  description: 'Lists all access rules of a zone.',
  properties: zone,
  output: { rules: out.maps('The rules: `id`, `mode` and `configuration`.') },
  run: async (client, input) => ({
    rules: await listAll(client, rulesPath(input), ['id', 'mode', 'configuration']),
  }),
  example: zoneExample,
});

const getZone = cloudflare.task({
  type: 'zones.Get',
  title: 'Get a zone of Cloudflare',
  description: 'Finds a zone by its id or its name.',
  properties: {
    zoneId: may.text('The id of the zone; or `hostname`.'),
    hostname: may.text('The name of the zone, such as `example.com`.'),
  },
  output: { id: out.text('The id.'), name: out.text('The name.'), status: out.text('The state.') },
  run: async (client, { zoneId, hostname }) => {
    if (!zoneId && !hostname) throw new TaskFailed('"zoneId" or "hostname" must be given.', { retry: false });
    const found = zoneId
      ? mapIn((await client.ask({ path: `/zones/${encodeURIComponent(zoneId)}` })).result)
      : mapsIn((await client.ask({ path: '/zones', query: { name: hostname } })).result)[0];
    if (!found) throw new TaskFailed(`Cloudflare has no zone "${hostname}".`, { retry: false });
    const { id, name, status } = found;
    return { id, name, status };
  },
  example: { hostname: 'example.com' },
});

const listZones = cloudflare.task({
  type: 'zones.List',
  title: 'List the zones of Cloudflare',
  description: 'Lists all zones that the token may see.',
  output: { zones: out.maps('The zones: `id`, `name` and `status`.') },
  run: async (client) => ({ zones: await listAll(client, '/zones', ['id', 'name', 'status']) }),
  example: {},
});

export const cloudflareTypes = [
  purge,
  create,
  get,
  remove,
  update,
  upsert,
  batch,
  list,
  createRule,
  deleteRule,
  listRules,
  getZone,
  listZones,
];

import {
  dropMissing,
  fetchRows,
  type JsonMap,
  mapIn,
  mapsIn,
  type TaskContext,
  TaskFailed,
  textOf,
} from '@millrace/plugin-kit';
import { bearer } from '../rest/auth.ts';
import type { RestClient } from '../rest/client.ts';
import { out, valueAt } from '../rest/outputs.ts';
import { may, need, preset } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';

const baseUrl = need.text('The address of the tenant, such as `https://company.goskope.com`.');
const address = 'https://company.goskope.com';

const netskope = defineService({
  name: 'Netskope',
  prefix: 'netskope',
  properties: { baseUrl, apiToken: need.secret('A token of the REST API v2.') },
  baseUrl: (input) => input.baseUrl,
  auth: ({ apiToken }) => ({ headers: { 'netskope-api-token': apiToken } }),
  example: { baseUrl: address, apiToken: "{{ secret('NETSKOPE_TOKEN') }}" },
});

const scim = defineService({
  name: 'Netskope SCIM',
  prefix: 'netskope.scim',
  properties: { baseUrl, scimToken: need.secret('A token for SCIM.') },
  baseUrl: (input) => `${input.baseUrl.replace(/\/+$/, '')}/api/v2/scim`,
  auth: ({ scimToken }) => bearer(scimToken),
  example: { baseUrl: address, scimToken: "{{ secret('NETSKOPE_SCIM_TOKEN') }}" },
});

const pageSize = 5000;
/** Events that have an older endpoint. */
const withoutSearch = /^(audit|infrastructure)$/;

/** Stores the events of a search, page by page. */
async function storeEvents(client: RestClient, context: TaskContext, type: string, query: JsonMap) {
  async function* events(): AsyncGenerator<JsonMap> {
    for (let offset = 0; ; offset += pageSize) {
      const path = `/api/v2/events/${withoutSearch.test(type) ? 'data' : 'datasearch'}/${encodeURIComponent(type)}`;
      const page = await client.ask({ path, query: dropMissing({ ...query, limit: pageSize, offset }) });
      const rows = mapsIn(page.result ?? page.data);
      yield* rows.map((row) => ({ ...row }));
      if (rows.length < pageSize) return;
    }
  }
  return fetchRows(context, 'STORE', events());
}

const both = (...parts: readonly (string | undefined)[]): string | undefined =>
  parts.filter((part) => part !== undefined && part !== '').join(' and ') || undefined;

const auditLogs = netskope.task({
  type: 'events.AuditLogs',
  title: 'Get the audit log of Netskope',
  description: 'Stores the audit events of the last time as rows.',
  properties: { lookbackPeriod: may.duration('How far back; a day when absent.') },
  output: { uri: out.text('The file with one event a line.'), logCount: out.integer('How many there are.') },
  run: async (client, { lookbackPeriod = 86_400_000 }, context) => {
    const now = Date.now();
    const toSeconds = (ms: number) => Math.floor(ms / 1000);
    const query = { starttime: toSeconds(now - lookbackPeriod), endtime: toSeconds(now) };
    const { uri, size } = await storeEvents(client, context, 'audit', query);
    return { uri, logCount: size };
  },
  example: { lookbackPeriod: 'PT1H' },
});

const getAlerts = netskope.task({
  type: 'events.GetAlerts',
  title: 'Get alerts of Netskope',
  description: 'Stores the alerts that match as rows.',
  properties: {
    alertType: may.text('Only alerts of this type, such as `DLP` or `Malware`.'),
    query: may.text('A query in the language of Netskope.'),
  },
  output: {
    uri: out.text('The file with one alert a line.'),
    alertCount: out.integer('How many there are.'),
  },
  run: async (client, { alertType, query }, context) => {
    const ofType =
      alertType === undefined ? undefined : `alert_type eq '${alertType.replaceAll("'", "\\'")}'`;
    const { uri, size } = await storeEvents(client, context, 'alert', { query: both(ofType, query) });
    return { uri, alertCount: size };
  },
  example: { alertType: 'DLP' },
});

const getEvents = netskope.task({
  type: 'events.GetEvents',
  title: 'Get events of Netskope',
  description: 'Stores the events that match as rows.',
  properties: {
    eventType: may.text(
      'The kind: `application`, `page`, `network`, `infrastructure`, `audit`, `incident`; `application` when absent.',
    ),
    query: may.text('A query in the language of Netskope.'),
  },
  output: {
    uri: out.text('The file with one event a line.'),
    eventCount: out.integer('How many there are.'),
  },
  run: async (client, { eventType = 'application', query }, context) => {
    const { uri, size } = await storeEvents(client, context, eventType, { query });
    return { uri, eventCount: size };
  },
  example: { eventType: 'page', query: "app eq 'Dropbox'" },
});

const updateAlert = netskope.task({
  type: 'remediation.UpdateAlert',
  title: 'Change the status of an alert of Netskope',
  description:
    'Sets the status of the incident of an alert, and adds a note to it. Netskope also accepts the number of an incident that does not exist.',
  properties: {
    alertId: need.text('The number of the incident.'),
    status: need.text('The new status: `new`, `in_progress`, `resolved` or `closed`.'),
    note: may.text('A note.'),
    user: preset.text('Millrace', 'Who makes the change, as Netskope shows it; usually an address.'),
  },
  output: { alertId: out.text('The id.'), updatedStatus: out.text('The new status.') },
  run: async (client, { alertId, status, note, user }) => {
    if (!/^\d+$/.test(alertId))
      throw new TaskFailed(`"alertId" must be the number of an incident, got "${alertId}".`, {
        retry: false,
      });
    const change = JSON.stringify({ field: 'status', new_value: status, user });
    // The number has more digits than a number of JavaScript keeps.
    const content = `{"payload":[{"incident_id":${alertId},${change.slice(1)}]}`;
    const { body } = await client.send({
      method: 'PATCH',
      path: '/api/v2/incidents/update',
      content,
      headers: { 'content-type': 'application/json' },
    });
    // Netskope responds with status 200 to a change that it discards.
    const { ok, result } = mapIn(body);
    if (ok === 0 || ok === false || String(result) === '0')
      throw new TaskFailed(
        `Netskope did not change incident ${alertId}: ${ok ? 'nothing was updated' : String(result)}.`,
        { retry: false },
      );
    if (note !== undefined)
      await client.send({
        method: 'POST',
        path: `/api/v2/incidents/dlpincidents/${alertId}/notes`,
        body: { content: note },
      });
    return { alertId, updatedStatus: status };
  },
  example: { alertId: '1807262583165050077', status: 'closed', note: 'False positive' },
});

const updatePolicyGroup = netskope.task({
  type: 'remediation.UpdatePolicyGroup',
  title: 'Change a policy group of Netskope',
  description: 'Adds an entity to a group of private access policies, or removes it.',
  properties: {
    policyGroupId: need.text('The id of the policy group.'),
    operation: need.text('What to do, such as `add` or `remove`.'),
    entity: need.text('The entity, such as a user or a group.'),
  },
  request: 'PATCH /api/v2/policy/npa/policygroups/{policyGroupId}',
  body: (input) => ({ operation: input.operation, entity: input.entity }),
  output: { policyGroupId: out.text('The id.'), operation: out.text('What was done.') },
  result: (_, { policyGroupId, operation }) => ({ policyGroupId, operation }),
  example: { policyGroupId: '12', operation: 'add', entity: 'anna@example.com' },
});

const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

const manageUser = scim.task({
  type: 'ManageUser',
  title: 'Enable or disable a user of Netskope',
  description: 'Sets whether a user is active.',
  properties: { userId: need.text('The id of the user.'), active: need.flag('Whether the user is active.') },
  request: 'PATCH /Users/{userId}',
  body: ({ active }) => ({
    schemas: [patchSchema],
    Operations: [{ op: 'replace', path: 'active', value: active }],
  }),
  output: { userId: out.text('The id.'), active: out.flag('Whether the user is active.') },
  result: (_, { userId, active }) => ({ userId, active }),
  example: { userId: '5f3c', active: false },
});

const patchGroup = scim.task({
  type: 'PatchGroup',
  title: 'Change the members of a group of Netskope',
  description: 'Adds the user with an address to a group, or removes it.',
  properties: {
    groupId: need.text('The id of the group.'),
    operation: need.text('`add` or `remove`.'),
    memberEmail: need.text('The address of the user.'),
  },
  output: { groupId: out.text('The id.'), operation: out.text('What was done.') },
  run: async (client, { groupId, operation, memberEmail }) => {
    const op = operation.toLowerCase();
    if (op !== 'add' && op !== 'remove')
      throw new TaskFailed(`"operation" must be "add" or "remove", got "${operation}".`, { retry: false });
    const filter = `userName eq "${memberEmail.replace(/["\\]/g, '\\$&')}"`;
    const users = await client.ask({ path: '/Users', query: { filter } });
    const id = textOf(valueAt(users, 'Resources.0.id'));
    if (id === undefined) throw new TaskFailed(`Netskope has no user "${memberEmail}".`, { retry: false });
    const change =
      op === 'add'
        ? { op, path: 'members', value: [{ value: id }] }
        : { op, path: `members[value eq "${id}"]` };
    await client.send({
      method: 'PATCH',
      path: `/Groups/${encodeURIComponent(groupId)}`,
      body: { schemas: [patchSchema], Operations: [change] },
    });
    return { groupId, operation };
  },
  example: { groupId: '77', operation: 'add', memberEmail: 'anna@example.com' },
});

export const netskopeTypes = [
  auditLogs,
  getAlerts,
  getEvents,
  updateAlert,
  updatePolicyGroup,
  manageUser,
  patchGroup,
];

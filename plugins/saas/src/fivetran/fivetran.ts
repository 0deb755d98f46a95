import { setTimeout as delay } from 'node:timers/promises';
import { type JsonMap, mapIn, type TaskContext, TaskFailed, textOf } from '@millrace/plugin-kit';
import { basic } from '../rest/auth.ts';
import type { RestClient, RestRequest } from '../rest/client.ts';
import { out } from '../rest/outputs.ts';
import { need, preset, requestOptions } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';
import { waitFor } from '../rest/waitFor.ts';

const fivetran = defineService({
  name: 'Fivetran',
  prefix: 'fivetran.connectors',
  properties: {
    apiKey: need.secret('The API key.'),
    apiSecret: need.secret('The API secret.'),
    baseUrl: preset.text('https://api.fivetran.com', 'The address of the API.'),
    ...requestOptions,
    maxAttempts: preset.integer(3, 'How often a request is sent when Fivetran is busy or fails.'),
    initialRetryDelay: preset.duration(
      'PT1S',
      'The pause before a request is sent again; it doubles each time.',
    ),
  },
  baseUrl: ({ baseUrl }) => baseUrl,
  auth: ({ apiKey, apiSecret }) => basic(apiKey, apiSecret),
  headers: () => ({ accept: 'application/json;version=2' }),
  example: { apiKey: "{{ secret('FIVETRAN_API_KEY') }}", apiSecret: "{{ secret('FIVETRAN_API_SECRET') }}" },
});

interface Tries {
  readonly maxAttempts: number;
  readonly initialRetryDelay: number;
}

/** Sends a request again when trying again can help. */
async function ask(
  client: RestClient,
  context: TaskContext,
  tries: Tries,
  request: RestRequest,
): Promise<JsonMap> {
  for (let attempt = 1; ; attempt++) {
    try {
      return mapIn((await client.ask(request)).data);
    } catch (error) {
      if (!(error instanceof TaskFailed) || !error.retry || attempt >= tries.maxAttempts) throw error;
      await delay(tries.initialRetryDelay * 2 ** (attempt - 1), undefined, { signal: context.signal });
    }
  }
}

const connectorPath = (id: string): string => `/v2/connectors/${encodeURIComponent(id)}`;
const timeOf = (value: unknown): number => Date.parse(textOf(value) ?? '') || 0;

const sync = fivetran.task({
  type: 'Sync',
  title: 'Run a sync of Fivetran',
  description:
    'Starts the sync of a connector and waits until it has ended. A sync that fails fails the task.',
  properties: {
    connectorId: need.text('The id of the connector.'),
    force: preset.flag(false, 'Stop a sync that is running, and start again.'),
    wait: preset.flag(true, 'Wait for the end of the sync.'),
    maxDuration: preset.duration('PT60M', 'The longest wait; the task fails afterwards.'),
    pollFrequency: preset.duration('PT5S', 'The pause between two looks at the connector.'),
  },
  run: async (client, input, context) => {
    const path = connectorPath(input.connectorId);
    const poll = () => ask(client, context, input, { path });
    const before = await poll();
    await ask(client, context, input, { method: 'POST', path: `${path}/sync`, body: { force: input.force } });
    if (!input.wait) return {};
    await waitFor(context, {
      what: `The sync of ${input.connectorId}`,
      everyMs: input.pollFrequency,
      atMostMs: input.maxDuration,
      poll: async () => {
        const now = await poll();
        if (timeOf(now.failed_at) > timeOf(before.failed_at))
          throw new TaskFailed(`The sync of ${input.connectorId} failed at ${now.failed_at}.`);
        return timeOf(now.succeeded_at) > timeOf(before.succeeded_at) ? true : undefined;
      },
    });
    return {};
  },
  example: { connectorId: 'speak_inexpensive' },
});

/** A connector as the outputs show it. It is fresh when its last sync ended well after the given time. */
function toState(connector: JsonMap, freshAfterMs: number): JsonMap {
  const { sync_state: syncState, setup_state: setupState } = mapIn(connector.status);
  const succeeded = timeOf(connector.succeeded_at);
  const failed = timeOf(connector.failed_at);
  const completed = Math.max(succeeded, failed);
  return {
    id: connector.id,
    name: connector.schema,
    paused: connector.paused,
    syncFrequency: connector.sync_frequency,
    scheduleType: connector.schedule_type,
    succeededAt: connector.succeeded_at,
    failedAt: connector.failed_at,
    completedDate: completed === 0 ? null : new Date(completed).toISOString(),
    hasFailed: failed > succeeded,
    syncState,
    setupState,
    schemaStatus: connector.schema_status ?? mapIn(connector.status).schema_status,
    fresh: succeeded > 0 && succeeded >= freshAfterMs && failed <= succeeded,
  };
}

const status = fivetran.task({
  type: 'Status',
  title: 'Wait for fresh data of connectors of Fivetran',
  description:
    'Reads the state of connectors. With `wait` it waits until each has ended a sync after the start of the task, or up to `freshnessBuffer` before it. A connector that is paused or whose sync failed fails the task, unless `allowTerminal` is set.',
  properties: {
    connectorIds: need.texts('The ids of the connectors.'),
    freshnessBuffer: preset.duration(
      'PT0S',
      'Syncs that ended so long before the start of the task count too.',
    ),
    wait: preset.flag(true, 'Wait until all connectors are fresh.'),
    maxDuration: preset.duration('PT1H', 'The longest wait; the task fails afterwards.'),
    pollFrequency: preset.duration('PT30S', 'The pause between two looks.'),
    allowTerminal: preset.flag(false, 'Connectors that are paused or have failed do not fail the task.'),
  },
  output: { connectors: out.map('The state of each connector, by its id.') },
  run: async (client, input, context) => {
    const freshAfterMs = Date.now() - input.freshnessBuffer;
    const poll = async () => {
      const states = new Map<string, JsonMap>();
      for (const id of input.connectorIds)
        states.set(id, toState(await ask(client, context, input, { path: connectorPath(id) }), freshAfterMs));
      return states;
    };
    if (!input.wait) return { connectors: Object.fromEntries(await poll()) };
    const found = await waitFor(context, {
      what: 'The connectors',
      everyMs: input.pollFrequency,
      atMostMs: input.maxDuration,
      poll: async () => {
        const states = await poll();
        const stuck = [...states].filter(
          ([, one]) =>
            one.paused === true || (one.hasFailed === true && timeOf(one.failedAt) >= freshAfterMs),
        );
        if (stuck.length > 0 && !input.allowTerminal)
          throw new TaskFailed(
            `These connectors are paused or have failed: ${stuck.map(([id]) => id).join(', ')}.`,
          );
        const ended = new Set(stuck.map(([id]) => id));
        return [...states].every(([id, one]) => one.fresh === true || ended.has(id)) ? states : undefined;
      },
    });
    return { connectors: Object.fromEntries(found) };
  },
  example: { connectorIds: ['speak_inexpensive'], freshnessBuffer: 'PT1H' },
});

export const fivetranTypes = [sync, status];

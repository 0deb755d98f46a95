import { mapIn, mapsIn, TaskFailed, textOf } from '@millrace/plugin-kit';
import { bearer } from '../rest/auth.ts';
import { out, valueAt } from '../rest/outputs.ts';
import { need, preset, requestOptions } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';
import { waitFor } from '../rest/waitFor.ts';

const hightouch = defineService({
  name: 'Hightouch',
  prefix: 'hightouch',
  baseUrl: 'https://api.hightouch.com',
  properties: { token: need.secret('An API key.'), ...requestOptions },
  auth: ({ token }) => bearer(token),
  example: { token: "{{ secret('HIGHTOUCH_API_TOKEN') }}" },
});

/** The metrics and their fields in a run. */
const counts: Readonly<Record<string, string>> = {
  'completion.ratio': 'completionRatio',
  'rows.successfully.added': 'successfulRows.addedCount',
  'rows.successfully.removed': 'successfulRows.removedCount',
  'rows.successfully.changed': 'successfulRows.changedCount',
  'rows.failed.added': 'failedRows.addedCount',
  'rows.failed.removed': 'failedRows.removedCount',
  'rows.failed.changed': 'failedRows.changedCount',
};
const goodEnds = new Set(['SUCCESS', 'COMPLETED_WITH_ERRORS', 'WARNING']);
const running = new Set(['PROCESSING', 'QUEUED', 'QUERYING', 'REPORTING']);
const stateOf = (status: unknown): string => (textOf(status) ?? '').toUpperCase().replace(/[\s-]/g, '_');

const sync = hightouch.task({
  type: 'Sync',
  title: 'Run a sync of Hightouch',
  description:
    'Starts a sync and waits until it has ended. A run with warnings or single errors does not fail the task.',
  properties: {
    syncId: need.integer('The id of the sync.'),
    fullResynchronization: preset.flag(false, 'Sync everything instead of the changes.'),
    wait: preset.flag(true, 'Wait for the end of the run.'),
    maxDuration: preset.duration('PT5M', 'The longest wait; the task fails afterwards.'),
  },
  metrics: Object.keys(counts).map((name) => ({
    name,
    type: 'counter' as const,
    description: 'As Hightouch reports it for the run.',
  })),
  output: {
    runId: out.integer('The id of the run.'),
    metadata: out.map('The run: `status`, dates, `querySize`, planned, successful and failed rows.'),
  },
  run: async (client, { syncId, fullResynchronization, wait, maxDuration }, context) => {
    const { id: runId } = await client.ask({
      method: 'POST',
      path: `/api/v1/syncs/${syncId}/trigger`,
      body: { fullResync: fullResynchronization },
    });
    if (!wait) return { runId: Number(runId) };
    const run = await waitFor(context, {
      what: `The run ${runId}`,
      everyMs: 1000,
      atMostMs: maxDuration,
      poll: async () => {
        const { data } = await client.ask({ path: `/api/v1/syncs/${syncId}/runs`, query: { runId } });
        const [found] = mapsIn(data);
        return found === undefined || running.has(stateOf(found.status)) ? undefined : found;
      },
    });
    for (const [name, path] of Object.entries(counts)) {
      const value = Number(valueAt(run, path) ?? Number.NaN);
      if (!Number.isNaN(value)) context.metric({ name, type: 'counter', value });
    }
    const status = stateOf(run.status);
    if (!goodEnds.has(status))
      throw new TaskFailed(
        `The run ${runId} ended as ${status}: ${textOf(run.error) ?? textOf(mapIn(run.error).message) ?? ''}`,
      );
    return { runId: Number(runId), metadata: { ...run, status } };
  },
  example: { syncId: 1127166 },
});

export const hightouchTypes = [sync];

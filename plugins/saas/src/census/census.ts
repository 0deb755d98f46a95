import { mapIn, TaskFailed, textOf } from '@millrace/plugin-kit';
import { bearer } from '../rest/auth.ts';
import { out } from '../rest/outputs.ts';
import { need, preset, requestOptions, waiting } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';
import { waitFor } from '../rest/waitFor.ts';

const census = defineService({
  name: 'Census',
  prefix: 'census',
  properties: {
    token: need.secret('The API key of the workspace.'),
    baseUrl: preset.text('https://app.getcensus.com', 'The address of Census.'),
    ...requestOptions,
  },
  baseUrl: ({ baseUrl }) => baseUrl,
  auth: ({ token }) => bearer(token),
  example: { token: "{{ secret('CENSUS_API_TOKEN') }}" },
});

/** The metrics and their fields in a run. */
const counts: Readonly<Record<string, string>> = {
  'records.source': 'source_record_count',
  'records.invalid': 'source_record_invalids',
  'records.processed': 'records_processed',
  'records.updated': 'records_updated',
  'records.failed': 'records_failed',
};
const running = new Set(['queued', 'working']);

const triggerSync = census.task({
  type: 'TriggerSync',
  title: 'Run a sync of Census',
  description:
    'Starts a sync and waits until its run has ended. A run that fails, is canceled or is skipped fails the task; single records that the destination rejects do not.',
  properties: {
    syncId: need.integer('The id of the sync.'),
    forceFullSync: preset.flag(false, 'Sync all records instead of the changes.'),
    ...waiting({ every: 'PT5S', atMost: 'PT60M' }),
  },
  metrics: Object.keys(counts).map((name) => ({
    name,
    type: 'counter' as const,
    description: 'As Census reports it for the run.',
  })),
  output: {
    runId: out.integer('The id of the run.'),
    run: out.map(
      'The run: `status`, dates, and the number of source, processed, updated and failed records.',
    ),
  },
  run: async (client, { syncId, forceFullSync, wait, pollFrequency, maxDuration }, context) => {
    const started = await client.ask({
      method: 'POST',
      path: `/api/v1/syncs/${syncId}/trigger`,
      query: { force_full_sync: forceFullSync },
    });
    const runId = textOf(mapIn(started.data).sync_run_id);
    if (runId === undefined) throw new TaskFailed(`Census did not start a run of the sync ${syncId}.`);
    if (!wait) return { runId: Number(runId) };
    const run = await waitFor(context, {
      what: `The run ${runId}`,
      everyMs: pollFrequency,
      atMostMs: maxDuration,
      poll: async () => {
        const { data } = await client.ask({ path: `/api/v1/sync_runs/${runId}` });
        const found = mapIn(data);
        return running.has(String(found.status)) ? undefined : found;
      },
    });
    for (const [name, field] of Object.entries(counts)) {
      const value = run[field];
      if (typeof value === 'number') context.metric({ name, type: 'counter', value });
    }
    if (run.canceled === true) throw new TaskFailed(`The run ${runId} was canceled in Census.`);
    if (run.status === 'skipped')
      throw new TaskFailed(`The run ${runId} was skipped because an earlier run of the sync had not ended.`);
    if (run.status !== 'completed')
      throw new TaskFailed(
        `The run ${runId} ended as ${run.status}: ${textOf(run.error_message) ?? 'Census gives no reason.'}`,
      );
    return { runId: Number(runId), run };
  },
  example: { syncId: 52 },
});

export const censusTypes = [triggerSync];

import { type JsonMap, mapsIn, TaskFailed } from '@millrace/plugin-kit';
import { bearer } from '../rest/auth.ts';
import { out } from '../rest/outputs.ts';
import { may, need, preset, waiting } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';
import { waitFor } from '../rest/waitFor.ts';

const hex = defineService({
  name: 'Hex',
  prefix: 'hex.projects',
  properties: {
    apiToken: need.secret('An API token.'),
    baseUrl: preset.text('https://app.hex.tech/api/v1', 'The address of the API.'),
    projectId: need.text('The id of the project.'),
  },
  baseUrl: ({ baseUrl }) => baseUrl,
  auth: ({ apiToken }) => bearer(apiToken),
  example: { apiToken: "{{ secret('HEX_TOKEN') }}", projectId: 'p1' },
});

const output = {
  runId: out.text('The id of the run.'),
  runUrl: out.text('The page of the run.'),
  status: out.text('The state of the run.'),
  projectVersion: out.text('The version of the project.'),
  startTime: out.text('When it started.'),
  endTime: out.text('When it ended.'),
  elapsedTime: out.decimal('How long it took, in seconds.'),
  traceId: out.text('The id for the support of Hex.'),
};
const goodEnd = 'COMPLETED';
const badEnds = ['ERRORED', 'KILLED', 'UNABLE_TO_ALLOCATE_KERNEL'];

const toRun = (run: JsonMap): JsonMap => ({
  runId: run.runId,
  runUrl: run.runUrl,
  status: run.status,
  projectVersion: run.projectVersion,
  startTime: run.startTime,
  endTime: run.endTime,
  elapsedTime: typeof run.elapsedTime === 'number' ? run.elapsedTime / 1000 : undefined,
  traceId: run.traceId,
});

const run = hex.task({
  type: 'Run',
  title: 'Run a project of Hex',
  description: 'Starts a run of a published project and waits for its end. A run that fails fails the task.',
  properties: {
    inputParams: may.map('The inputs of the project.'),
    ...waiting({ every: 'PT5S', atMost: 'PT1H' }),
  },
  output,
  run: async (client, { projectId, inputParams, wait, pollFrequency, maxDuration }, context) => {
    const path = `/projects/${encodeURIComponent(projectId)}/runs`;
    const started = await client.ask({ method: 'POST', path, body: inputParams ? { inputParams } : {} });
    if (!wait) return toRun(started);
    const ended = await waitFor(context, {
      what: `The run ${started.runId}`,
      everyMs: pollFrequency,
      atMostMs: maxDuration,
      poll: async () => {
        const found = await client.ask({ path: `${path}/${started.runId}` });
        if (badEnds.includes(String(found.status)))
          throw new TaskFailed(`The run ${started.runId} ended as ${found.status}.`);
        return found.status === goodEnd ? found : undefined;
      },
    });
    return toRun({ ...started, ...ended });
  },
  example: { inputParams: { day: '2026-01-31' } },
});

const trigger = hex.trigger({
  type: 'Trigger',
  title: 'Start an execution when a run of a project of Hex has ended',
  description:
    'Reads the last run of a project every `interval`, and starts an execution for each one that has ended. The first poll only remembers.',
  interval: 'PT1M',
  output,
  poll: async (client, { projectId }, context) => {
    const { runs } = await client.ask({
      path: `/projects/${encodeURIComponent(projectId)}/runs`,
      query: { limit: 1 },
    });
    const [last] = mapsIn(runs);
    if (!last || ![goodEnd, ...badEnds].includes(String(last.status))) return undefined;
    const before = context.memory;
    context.remember(last.runId);
    return before === undefined || before === last.runId ? undefined : toRun(last);
  },
  example: {},
});

export const hexTypes = [run, trigger];

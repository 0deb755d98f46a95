import {
  type Definition,
  defineTask,
  defineTrigger,
  dropMissing,
  duration,
  fixed,
  integer,
  listOf,
  openTriggerState,
  text,
  triggerStateProperties,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { taskExample, triggerExample } from '../client/example.ts';
import { readText } from '../client/http.ts';
import {
  LogicApps,
  logicAppsProperties,
  type RunRecord,
  runRecord,
  workflowNameProperty,
  workflowRecord,
} from './logicAppsApi.ts';

const where = ['subscriptionId: 00000000-0000-0000-0000-000000000000', 'resourceGroupName: integration'];

const get = defineTask({
  type: 'azure.logicapps.Get',
  title: 'Get a workflow of Logic Apps',
  description: 'Reads the properties of one workflow. A workflow that does not exist fails the task.',
  input: () => z.object({ ...logicAppsProperties, workflowName: workflowNameProperty() }),
  output: () => z.object({ workflow: workflowRecord.describe('The workflow.') }),
  sideEffects: true,
  examples: [
    taskExample('azure.logicapps.Get', 'Read a workflow.', [...where, 'workflowName: invoice-import']),
  ],
  run: async (context, { workflowName, ...input }) => ({
    workflow: await new LogicApps(context, input).workflow(workflowName),
  }),
});

const list = defineTask({
  type: 'azure.logicapps.List',
  title: 'List the workflows of Logic Apps',
  description: 'Lists the workflows of a resource group, at most `maxWorkflows`.',
  input: () =>
    z.object({
      ...logicAppsProperties,
      maxWorkflows: integer({ min: 1 }).default(100).describe('The maximum number of workflows.'),
    }),
  output: () =>
    z.object({
      workflows: z.array(workflowRecord).describe('The workflows.'),
      total: z.number().describe('The number of workflows.'),
    }),
  sideEffects: true,
  examples: [taskExample('azure.logicapps.List', 'List the workflows of a resource group.', where)],
  async run(context, { maxWorkflows, ...input }) {
    const workflows = await new LogicApps(context, input).workflows(maxWorkflows);
    return { workflows, total: workflows.length };
  },
});

const getRun = defineTask({
  type: 'azure.logicapps.GetRun',
  title: 'Get a run of a workflow of Logic Apps',
  description: 'Reads status, times, error and outputs of one run.',
  input: () =>
    z.object({
      ...logicAppsProperties,
      workflowName: workflowNameProperty(),
      runId: text().describe('The id of the run, as `azure.logicapps.Run` returns it.'),
    }),
  output: () => z.object({ run: runRecord.describe('The run.') }),
  sideEffects: true,
  examples: [
    taskExample('azure.logicapps.GetRun', 'Read a run.', [
      ...where,
      'workflowName: invoice-import',
      'runId: "08585287613579427079"',
    ]),
  ],
  run: async (context, { workflowName, runId, ...input }) => ({
    run: await new LogicApps(context, input).run(workflowName, runId),
  }),
});

const listRuns = defineTask({
  type: 'azure.logicapps.ListRuns',
  title: 'List the runs of a workflow of Logic Apps',
  description: 'Lists the newest runs of a workflow, at most `maxRuns`.',
  input: () =>
    z.object({
      ...logicAppsProperties,
      workflowName: workflowNameProperty(),
      statusFilter: text().optional().describe('Only runs with this status, such as `Failed`.'),
      maxRuns: integer({ min: 1 }).default(100).describe('The maximum number of runs.'),
    }),
  output: () =>
    z.object({
      runs: z.array(runRecord).describe('The runs, the newest first.'),
      total: z.number().describe('The number of runs.'),
    }),
  sideEffects: true,
  examples: [
    taskExample('azure.logicapps.ListRuns', 'List failed runs.', [
      ...where,
      'workflowName: invoice-import',
      'statusFilter: Failed',
    ]),
  ],
  async run(context, { workflowName, statusFilter, maxRuns, ...input }) {
    const runs = await new LogicApps(context, input).runs(workflowName, maxRuns, statusFilter);
    return { runs, total: runs.length };
  },
});

const run = defineTask({
  type: 'azure.logicapps.Run',
  title: 'Run a workflow of Logic Apps',
  description:
    'Calls a trigger of a workflow and does not wait for the end of the run. Read the result with `azure.logicapps.GetRun`.',
  input: () =>
    z.object({
      ...logicAppsProperties,
      workflowName: workflowNameProperty(),
      triggerName: text().default('manual').describe('The trigger of the workflow to call.'),
    }),
  output: () =>
    z.object({
      workflowName: z.string().describe('The workflow.'),
      triggerName: z.string().describe('The trigger that was called.'),
      runId: z.string().optional().describe('The id of the run; absent when the service returns none.'),
      statusCode: z.number().describe('The HTTP status of the response.'),
    }),
  sideEffects: true,
  examples: [
    taskExample('azure.logicapps.Run', 'Start a workflow.', [...where, 'workflowName: invoice-import']),
  ],
  async run(context, { workflowName, triggerName, ...input }) {
    const response = await new LogicApps(context, input).start(workflowName, triggerName);
    await readText(response);
    const runId = response.headers['x-ms-workflow-run-id']?.[0];
    return { workflowName, triggerName, statusCode: response.status, ...dropMissing({ runId }) };
  },
});

const trigger = defineTrigger({
  type: 'azure.logicapps.Trigger',
  role: 'polling',
  title: 'Start when a workflow of Logic Apps ends',
  description:
    'Reads the newest runs of a workflow every `interval` and starts one execution for all runs that reached one of the `statuses` since the last poll. Each poll reads at most `maxRuns` runs of each status.',
  input: () =>
    z.object({
      ...logicAppsProperties,
      interval: fixed(duration()).prefault('PT1M').describe('The pause between two polls.'),
      workflowName: workflowNameProperty(),
      statuses: listOf(text(), { min: 1 })
        .default(['Succeeded', 'Failed'])
        .describe('The statuses that start an execution.'),
      maxRuns: integer({ min: 1 })
        .default(25)
        .describe('The maximum number of runs of one execution; the others start the next one.'),
      ...triggerStateProperties,
      on: triggerStateProperties.on
        .unwrap()
        .default('CREATE')
        .describe('Whether runs start an execution when they are new, when their status changed, or both.'),
    }),
  output: () =>
    z.object({
      run: runRecord.describe('The newest of the runs.'),
      runs: z.array(runRecord).describe('The runs, the newest first.'),
      total: z.number().describe('The number of runs.'),
    }),
  examples: [
    triggerExample(
      'azure.logicapps.Trigger',
      'React to failed runs.',
      [...where, 'workflowName: invoice-import', 'statuses:', '  - Failed'],
      'trigger.run.error',
    ),
  ],
  async poll(context, { interval: _, workflowName, statuses, maxRuns, on, stateKey, stateTtl, ...input }) {
    const client = new LogicApps(context, input);
    const found: RunRecord[] = [];
    for (const status of new Set(statuses)) found.push(...(await client.runs(workflowName, maxRuns, status)));
    const candidates = found.map((each) => ({
      uri: each.id ?? each.name ?? '',
      version: `${each.status} ${each.endTime ?? ''}`,
      modifiedAt: each.endTime === undefined ? undefined : new Date(each.endTime),
      run: each,
    }));
    const state = await openTriggerState(context, { on, stateKey, stateTtl });
    const runs = state
      .changes(candidates, maxRuns)
      .map(({ candidate }) => candidate.run)
      .sort((a, b) => (b.startTime ?? '').localeCompare(a.startTime ?? ''));
    await state.save();
    const [newest] = runs;
    return newest && { run: newest, runs, total: runs.length };
  },
});

export const logicAppsTypes: readonly Definition[] = [get, list, getRun, listRuns, run, trigger];

import { mapIn, TaskFailed, textOf } from '@millrace/plugin-kit';
import { bearer } from '../rest/auth.ts';
import { out } from '../rest/outputs.ts';
import { may, need, preset } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';
import { waitFor } from '../rest/waitFor.ts';

const workspaceOf = (
  { accountId, workspaceId }: { accountId?: string | undefined; workspaceId?: string | undefined },
  plural: '' | 's',
) =>
  accountId && workspaceId
    ? `/account${plural}/${encodeURIComponent(accountId)}/workspace${plural}/${encodeURIComponent(workspaceId)}`
    : '';

const prefect = defineService({
  name: 'Prefect',
  prefix: 'prefect',
  properties: {
    apiUrl: preset.text(
      'https://api.prefect.cloud/api',
      'The address of the API of Prefect Cloud or of a server.',
    ),
    apiKey: may.secret('An API key of Prefect Cloud.'),
    accountId: may.text('The id of the account, for Prefect Cloud.'),
    workspaceId: may.text('The id of the workspace, for Prefect Cloud.'),
  },
  baseUrl: (input) => `${input.apiUrl.replace(/\/+$/, '')}${workspaceOf(input, 's')}`,
  auth: ({ apiKey }) => (apiKey === undefined ? undefined : bearer(apiKey)),
  example: { apiKey: "{{ secret('PREFECT_API_KEY') }}", accountId: 'a1', workspaceId: 'w1' },
});

const create = prefect.task({
  type: 'CreateFlowRun',
  title: 'Run a deployment of Prefect',
  description: 'Starts a flow run of a deployment and waits for its end. A run that fails fails the task.',
  properties: {
    deploymentId: need.text('The id of the deployment.'),
    parameters: may.map('The parameters of the flow run.'),
    wait: preset.flag(true, 'Wait for the end of the flow run.'),
    pollFrequency: preset.duration('PT5S', 'The pause between two looks at its state.'),
  },
  output: {
    flowRunId: out.text('The id of the flow run.'),
    state: out.text('The state of the flow run.'),
    flowRunUrl: out.text('The page of the flow run.'),
  },
  run: async (client, input, context) => {
    const run = await client.ask({
      method: 'POST',
      path: `/deployments/${encodeURIComponent(input.deploymentId)}/create_flow_run`,
      body: { parameters: input.parameters ?? {} },
    });
    const flowRunId = String(run.id);
    const page = input.apiUrl
      .replace('https://api.prefect.cloud', 'https://app.prefect.cloud')
      .replace(/\/api\/?$/, '');
    const flowRunUrl = `${page}${workspaceOf(input, '')}/runs/flow-run/${flowRunId}`;
    if (!input.wait)
      return { flowRunId, flowRunUrl, state: textOf(mapIn(run.state).type) ?? textOf(run.state_type) };
    const state = await waitFor(context, {
      what: `The flow run ${flowRunId}`,
      everyMs: input.pollFrequency,
      atMostMs: Number.POSITIVE_INFINITY,
      poll: async () => {
        const { type, message } = mapIn((await client.ask({ path: `/flow_runs/${flowRunId}` })).state);
        if (type === 'FAILED' || type === 'CRASHED' || type === 'CANCELLED')
          throw new TaskFailed(`The flow run ${flowRunId} ended as ${type}: ${textOf(message) ?? ''}`);
        return type === 'COMPLETED' ? type : undefined;
      },
    });
    return { flowRunId, state, flowRunUrl };
  },
  example: { deploymentId: 'd1', parameters: { day: '2026-01-31' } },
});

export const prefectTypes = [create];

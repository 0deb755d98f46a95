import { mapsIn, TaskFailed, textOf } from '@millrace/plugin-kit';
import { clientCredentials } from '../rest/auth.ts';
import { out } from '../rest/outputs.ts';
import { may, need, preset, requestOptions } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';
import { waitFor } from '../rest/waitFor.ts';

const powerbi = defineService({
  name: 'Power BI',
  prefix: 'powerbi',
  baseUrl: 'https://api.powerbi.com/v1.0/myorg',
  properties: {
    tenantId: need.text('The id of the directory (tenant) of Microsoft Entra ID.'),
    clientId: need.text('The id of the application.'),
    clientSecret: need.secret('A secret of the application.'),
    ...requestOptions,
  },
  auth: ({ tenantId, clientId, clientSecret }) =>
    clientCredentials({
      tokenUrl: `https://login.microsoftonline.com/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`,
      clientId,
      clientSecret,
      scope: 'https://analysis.windows.net/powerbi/api/.default',
    }),
  example: {
    tenantId: "{{ secret('AZURE_TENANT_ID') }}",
    clientId: "{{ secret('AZURE_CLIENT_ID') }}",
    clientSecret: "{{ secret('AZURE_CLIENT_SECRET') }}",
  },
});

const refresh = powerbi.task({
  type: 'RefreshGroupDataset',
  title: 'Refresh a dataset of Power BI',
  description: 'Starts the refresh of a dataset in a workspace, and waits for its end if you like.',
  properties: {
    groupId: may.text('The id of the workspace.'),
    datasetId: may.text('The id of the dataset.'),
    wait: preset.flag(false, 'Wait for the end of the refresh.'),
    pollDuration: preset.duration('PT5S', 'The pause between two looks at the refresh.'),
    waitDuration: preset.duration('PT10M', 'The longest wait; the task fails afterwards.'),
  },
  output: {
    requestId: out.text('The id of the refresh.'),
    status: out.text('The state of the refresh.'),
    extendedStatus: out.text('More about the state.'),
    refreshType: out.text('How it was started.'),
    startTime: out.text('When it started.'),
    endTime: out.text('When it ended.'),
  },
  run: async (client, { groupId, datasetId, wait, pollDuration, waitDuration }, context) => {
    if (!groupId || !datasetId)
      throw new TaskFailed('"groupId" and "datasetId" must be given.', { retry: false });
    const path = `/groups/${encodeURIComponent(groupId)}/datasets/${encodeURIComponent(datasetId)}/refreshes`;
    const { headers } = await client.send({ method: 'POST', path, body: { notifyOption: 'NoNotification' } });
    const requestId = headers['x-ms-request-id']?.[0] ?? headers.requestid?.[0];
    if (!wait) return { requestId };
    const ended = await waitFor(context, {
      what: 'The refresh',
      everyMs: pollDuration,
      atMostMs: waitDuration,
      poll: async () => {
        const found = mapsIn((await client.ask({ path })).value).find((one) => one.requestId === requestId);
        // "Unknown" means that the refresh is running.
        return found && found.status !== 'Unknown' ? found : undefined;
      },
    });
    if (ended.status !== 'Completed')
      throw new TaskFailed(
        `The refresh ${requestId} ended as ${ended.status}: ${textOf(ended.serviceExceptionJson) ?? ''}`,
      );
    const { status, extendedStatus, refreshType, startTime, endTime } = ended;
    return { requestId, status, extendedStatus, refreshType, startTime, endTime };
  },
  example: { groupId: 'g1', datasetId: 'd1', wait: true },
});

export const powerbiTypes = [refresh];

import { type JsonMap, mapIn, mapsIn, TaskFailed, textOf } from '@millrace/plugin-kit';
import { bearer } from '../rest/auth.ts';
import { out, valueAt } from '../rest/outputs.ts';
import { may, need, preset } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';
import { waitFor } from '../rest/waitFor.ts';

const unused = 'Accepted for older flows: the API of Argo CD is called directly, without its command line.';

const argocd = defineService({
  name: 'Argo CD',
  prefix: 'argocd.apps',
  properties: {
    server: need.text('The host of Argo CD, with its port if it has one.'),
    token: need.secret('A token of a user or a project.'),
    application: need.text('The name of the application.'),
    insecure: preset.flag(false, 'Do not check the certificate.'),
    plaintext: preset.flag(false, 'Use HTTP without TLS.'),
    serverCert: may.text(
      'Not supported: certificates are checked against those that the server of Millrace trusts.',
    ),
    grpcWeb: preset.flag(false, unused),
    argoCDVersion: may.text(unused),
    containerImage: preset.text('curlimages/curl:latest', unused),
    taskRunner: may.map(unused),
    env: may.textMap(unused),
  },
  baseUrl: ({ server, plaintext }) =>
    `${/^https?:\/\//.test(server) ? server : `${plaintext ? 'http' : 'https'}://${server}`}`.replace(
      /\/+$/,
      '',
    ),
  auth: ({ token, serverCert }) => {
    if (serverCert !== undefined)
      throw new TaskFailed(
        '"serverCert" is not supported; start the server with NODE_EXTRA_CA_CERTS instead.',
        {
          retry: false,
        },
      );
    return bearer(token);
  },
  isInsecure: ({ insecure }) => insecure,
  example: {
    server: 'argocd.example.com',
    token: "{{ secret('ARGOCD_TOKEN') }}",
    application: 'shop',
  },
});

const outputs = {
  syncStatus: out.text('`Synced`, `OutOfSync` or `Unknown`.'),
  healthStatus: out.text('The health, such as `Healthy` or `Degraded`.'),
  resources: out.maps('The resources of the application, with their states.'),
  rawOutput: out.text('The application as JSON.'),
  vars: out.map('Always empty: there is no command whose output could set variables.'),
  exitCode: out.integer('Always 0: a failure fails the task.'),
  outputFiles: out.map('Always empty.'),
  taskRunner: out.map('Always empty: no command runs.'),
};

const read = (application: JsonMap) => ({
  syncStatus: valueAt(application, 'status.sync.status'),
  healthStatus: valueAt(application, 'status.health.status'),
  resources: mapsIn(mapIn(application.status).resources),
  rawOutput: JSON.stringify(application),
  vars: {},
  exitCode: 0,
  outputFiles: {},
  taskRunner: {},
});

const status = argocd.task({
  type: 'Status',
  title: 'Get the state of an application of Argo CD',
  description: 'Reads whether an application is in sync and healthy.',
  properties: { refresh: preset.flag(false, 'Compare with the repository first.') },
  request: 'GET /api/v1/applications/{application}',
  query: ({ refresh }) => ({ refresh: refresh ? 'normal' : undefined }),
  output: { ...outputs, conditions: out.maps('The conditions, such as errors of the comparison.') },
  result: ({ body }) => ({ ...read(mapIn(body)), conditions: mapsIn(mapIn(mapIn(body).status).conditions) }),
  example: { refresh: true },
});

const sync = argocd.task({
  type: 'Sync',
  title: 'Sync an application of Argo CD',
  description:
    'Starts a sync and waits until it has ended; the task fails when the sync fails. Use the `timeout` of the task to wait no longer.',
  properties: {
    revision: may.text('The revision of the repository; the one of the application when absent.'),
    prune: preset.flag(false, 'Delete resources that the repository no longer has.'),
    dryRun: preset.flag(false, 'Only show what would happen.'),
    force: preset.flag(false, 'Replace resources that cannot be changed.'),
  },
  output: { ...outputs, revision: out.text('The revision that is in use now.') },
  run: async (client, { application, revision, prune, dryRun, force }, context) => {
    const path = `/api/v1/applications/${encodeURIComponent(application)}`;
    await client.send({
      method: 'POST',
      path: `${path}/sync`,
      body: { revision, prune, dryRun, strategy: { hook: { force } } },
    });
    const found = await waitFor(context, {
      what: `The sync of ${application}`,
      everyMs: 1000,
      atMostMs: Number.POSITIVE_INFINITY,
      poll: async () => {
        const now = await client.ask({ path });
        const { phase, message } = mapIn(mapIn(now.status).operationState);
        if (phase === 'Failed' || phase === 'Error')
          throw new TaskFailed(`The sync of ${application} ended as ${phase}: ${textOf(message) ?? ''}`);
        return phase === 'Succeeded' && now.operation === undefined ? now : undefined;
      },
    });
    return { ...read(found), revision: valueAt(found, 'status.sync.revision') };
  },
  example: { prune: true },
});

export const argocdTypes = [status, sync];

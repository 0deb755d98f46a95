import type { TaskDefinition, TriggerDefinition } from '@millrace/plugin-kit';
import { describe, expect, test } from 'vitest';
import { computeTypes } from '../compute/index.ts';
import { dataflowTypes } from '../dataflow/index.ts';
import { monitoringTypes } from '../monitoring/index.ts';
import { rcsTypes } from '../rcs/index.ts';
import { type Received, type Reply, refusal, startGoogle } from '../testing/fakeGoogle.ts';

const all = [...computeTypes, ...dataflowTypes, ...monitoringTypes, ...rcsTypes];
// `as`: the names in these tests are those of tasks or triggers.
const find = <T extends TaskDefinition | TriggerDefinition = TaskDefinition>(name: string): T =>
  all.find(({ type }) => type === `gcp.${name}`) as T;

describe('Dataflow', () => {
  const jobs = '/v1b3/projects/my-project/locations/eu/jobs';

  test('launches templates with parameters as text', async () => {
    const { run, received } = await startGoogle(() => ({
      body: { job: { id: 'j1', currentState: 'JOB_STATE_QUEUED' } },
    }));
    const options = { location: 'eu', jobName: 'words', parameters: { n: 1, flags: { a: true } } };
    expect(await run(find('dataflow.LaunchTemplate'), { ...options, gcsPath: 'gs://t/x' })).toEqual({
      jobId: 'j1',
      jobState: 'JOB_STATE_QUEUED',
    });
    expect(received[0]?.query.get('gcsPath')).toBe('gs://t/x');
    expect(received[0]?.json).toEqual({ jobName: 'words', parameters: { n: '1', flags: '{"a":true}' } });
    await run(find('dataflow.LaunchFlexTemplate'), { ...options, containerSpecGcsPath: 'gs://t/y' });
    expect(received[1]).toMatchObject({
      path: '/v1b3/projects/my-project/locations/eu/flexTemplates:launch',
      json: { launchParameter: { containerSpecGcsPath: 'gs://t/y' } },
    });
  });

  test('waits for a job, reads it and cancels it', async () => {
    let state = 'JOB_STATE_RUNNING';
    const { run, received } = await startGoogle(({ path, method, json }): Reply => {
      if (method === 'PUT') return { body: { currentState: json.requestedState } };
      if (path.endsWith('/metrics'))
        return {
          body: {
            metrics: [
              { name: { name: 'rows' }, scalar: 5 },
              { name: { name: 'rows', context: { tentative: 'true' } }, scalar: 6 },
            ],
          },
        };
      const now = state;
      state = state === 'JOB_STATE_RUNNING' ? 'JOB_STATE_DONE' : state;
      return { body: { id: 'j1', currentState: now, type: 'JOB_TYPE_BATCH' } };
    });
    const job = { jobId: 'j1', location: 'eu' };
    expect(await run(find('dataflow.WaitForJob'), { ...job, pollInterval: 'PT0.01S' })).toEqual({
      jobId: 'j1',
      state: 'JOB_STATE_DONE',
      metrics: { rows: 5 },
    });
    expect(await run(find('dataflow.GetJob'), job)).toMatchObject({
      currentState: 'JOB_STATE_DONE',
      metrics: { rows: 5 },
    });
    expect(await run(find('dataflow.CancelJob'), { ...job, drain: true })).toEqual({
      jobId: 'j1',
      currentState: 'JOB_STATE_DRAINED',
    });
    expect(received.at(-1)).toMatchObject({ method: 'PUT', path: `${jobs}/j1` });
    state = 'JOB_STATE_FAILED';
    await expect(run(find('dataflow.WaitForJob'), job)).rejects.toThrow(
      'The job j1 ended in JOB_STATE_FAILED.',
    );
  });

  test('a trigger takes each finished job once', async () => {
    const found = [
      { id: '1', name: 'load-a', currentState: 'JOB_STATE_DONE', currentStateTime: 't1' },
      { id: '2', name: 'load-b', currentState: 'JOB_STATE_DONE', currentStateTime: 't2' },
      { id: '3', name: 'load-c', currentState: 'JOB_STATE_RUNNING' },
      { id: '4', name: 'other', currentState: 'JOB_STATE_DONE' },
    ];
    const { poll } = await startGoogle(() => ({ body: { jobs: found } }));
    const trigger = find<TriggerDefinition>('dataflow.Trigger');
    const properties = { location: 'eu', jobNamePrefix: 'load-' };
    expect(await poll(trigger, properties)).toEqual({
      jobId: '1',
      jobName: 'load-a',
      state: 'JOB_STATE_DONE',
    });
    expect(await poll(trigger, properties)).toMatchObject({ jobId: '2' });
    expect(await poll(trigger, properties)).toBeUndefined();
  });
});

test('Compute creates, starts, stops and deletes a machine', async () => {
  let status = 'PROVISIONING';
  const seen: Received[] = [];
  const { run } = await startGoogle((request): Reply => {
    seen.push(request);
    const { path, method } = request;
    if (path.includes('/operations/')) return { body: { status: 'DONE' } };
    if (method === 'GET')
      return {
        body: {
          id: '7',
          status,
          networkInterfaces: [{ networkIP: '10.0.0.2', accessConfigs: [{ natIP: '1.2.3.4' }] }],
        },
      };
    status = path.endsWith('/stop') ? 'TERMINATED' : 'RUNNING';
    return { body: { name: 'op1', targetId: '7' } };
  });
  const place = { zone: 'europe-west1-b', instanceName: 'w1' };
  const machine = {
    instanceName: 'w1',
    instanceId: '7',
    status: 'RUNNING',
    externalIp: '1.2.3.4',
    internalIp: '10.0.0.2',
  };
  expect(
    await run(find('compute.Create'), {
      ...place,
      machineType: 'e2-medium',
      sourceImage: 'img',
      startupScript: 'echo',
      subnetworkName: 'sub',
      diskSizeGb: 20,
    }),
  ).toEqual(machine);
  expect(seen[0]?.json).toMatchObject({
    name: 'w1',
    machineType: 'zones/europe-west1-b/machineTypes/e2-medium',
    disks: [{ initializeParams: { sourceImage: 'img', diskSizeGb: '20' } }],
    networkInterfaces: [
      { network: 'global/networks/default', subnetwork: 'regions/europe-west1/subnetworks/sub' },
    ],
    metadata: { items: [{ key: 'startup-script', value: 'echo' }] },
  });
  expect(await run(find('compute.Stop'), place)).toMatchObject({ status: 'TERMINATED' });
  expect(await run(find('compute.Start'), place)).toEqual(machine);
  expect(await run(find('compute.Delete'), place)).toEqual({
    instanceName: 'w1',
    instanceId: '7',
    status: 'DELETED',
  });
});

test('Monitoring writes points and reads series', async () => {
  const { run, poll, received } = await startGoogle(({ method }) => ({
    body: method === 'POST' ? {} : { timeSeries: [{ metric: { type: 'm' }, points: [] }] },
  }));
  expect(
    await run(find('monitoring.Push'), {
      metrics: [{ metricType: 'custom.googleapis.com/x', value: 4.5, labels: { a: 'b' } }],
    }),
  ).toEqual({ count: 1 });
  expect(received[0]).toMatchObject({
    path: '/v3/projects/my-project/timeSeries',
    json: {
      timeSeries: [
        {
          metric: { type: 'custom.googleapis.com/x', labels: { a: 'b' } },
          resource: { type: 'global', labels: { project_id: 'my-project' } },
          metricKind: 'GAUGE',
          points: [{ value: { doubleValue: 4.5 } }],
        },
      ],
    },
  });
  expect(await run(find('monitoring.Query'), { filter: 'f' })).toMatchObject({
    count: 1,
    series: [{ metric: { type: 'm' } }],
  });
  expect(received[1]?.query.get('filter')).toBe('f');
  expect(await poll(find<TriggerDefinition>('monitoring.Trigger'), { filter: 'f' })).toMatchObject({
    count: 1,
  });
});

test('RCS sends texts, cards and files', async () => {
  const { run, context, received } = await startGoogle(({ path }) => ({
    body: path.startsWith('/upload/') ? { name: 'files/1' } : { sendTime: 'now' },
  }));
  const to = { agentId: 'a1', msisdn: '+4917' };
  expect(await run(find('rcs.SendMessage'), { ...to, text: 'hi' })).toEqual({
    messageId: expect.any(String),
    sendTime: 'now',
  });
  expect(received[0]).toMatchObject({
    path: '/v1/phones/%2B4917/agentMessages',
    json: { contentMessage: { text: 'hi' } },
  });
  expect(received[0]?.query.get('agentId')).toBe('a1');
  await run(find('rcs.SendRichCard'), {
    ...to,
    title: 'T',
    description: 'D',
    suggestions: [{ type: 'DIAL', text: 'Call', phoneNumber: '+49' }],
  });
  expect(received[1]?.json).toEqual({
    contentMessage: {
      richCard: {
        standaloneCard: {
          cardOrientation: 'VERTICAL',
          cardContent: {
            title: 'T',
            description: 'D',
            suggestions: [
              { action: { text: 'Call', postbackData: 'Call', dialAction: { phoneNumber: '+49' } } },
            ],
          },
        },
      },
    },
  });
  await run(find('rcs.SendCarousel'), { ...to, cards: [{ title: 'a' }, { title: 'b' }] });
  await run(find('rcs.SendFile'), { ...to, file: await context.files.put('a.png', 'png') });
  expect(received[3]).toMatchObject({ path: '/upload/v1/files', text: 'png' });
  expect(received[3]?.headers['content-type']).toBe('image/png');
  expect(received[4]?.json).toEqual({ contentMessage: { uploadedRbmFile: { fileName: 'files/1' } } });
});

test('a refusal of these services has the message of Google', async () => {
  const { run } = await startGoogle(() => refusal(403, 'Permission denied', 'forbidden'));
  await expect(run(find('monitoring.Query'), { filter: 'f' })).rejects.toThrow(
    'HTTP 403 (forbidden): Permission denied. Check the roles',
  );
});

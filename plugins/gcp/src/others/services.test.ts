import type { TaskDefinition } from '@millrace/plugin-kit';
import { realProcesses, runType } from '@millrace/plugin-kit/testing';
import { describe, expect, test } from 'vitest';
import { firestoreTypes } from '../firestore/index.ts';
import type { Json } from '../google/json.ts';
import { type Reply, refusal, serviceAccount, startGoogle } from '../testing/fakeGoogle.ts';
import { vertexaiTypes } from '../vertexai/index.ts';
import { oauthAccessToken } from './auth.ts';
import { gcloudCli } from './cli.ts';
import { invokeWorkflow } from './dataform.ts';
import { httpFunction } from './function.ts';
import { clusterMetadata } from './gke.ts';

/** A type of a list by the end of its name. */
function find(types: readonly { readonly type: string }[], name: string): TaskDefinition {
  // `as`: the lists hold tasks only.
  return types.find(({ type }) => type.endsWith(`.${name}`)) as TaskDefinition;
}

test('OauthAccessToken returns a sealed token', async () => {
  const { run, context } = await startGoogle(() => ({}));
  const { accessToken } = await run(oauthAccessToken, { scopes: ['https://www.googleapis.com/auth/drive'] });
  expect(accessToken).toMatchObject({
    scopes: ['https://www.googleapis.com/auth/drive'],
    tokenValue: context.seal('ya29.test-token.drive'),
  });
  expect(JSON.stringify(accessToken)).not.toContain('ya29');
});

test('GCloudCLI gives the commands a key and a project, and removes the key', async () => {
  const { aContext } = await startGoogle(() => ({}));
  const context = aContext({ spawn: realProcesses });
  const outputs = await runType(
    gcloudCli,
    {
      serviceAccount,
      projectId: 'p1',
      taskRunner: { type: 'core.runner.Process' },
      commands: [
        'cat "$GOOGLE_APPLICATION_CREDENTIALS" | wc -c',
        'echo "::{\\"outputs\\": {\\"project\\": \\"$CLOUDSDK_CORE_PROJECT\\"}}::"',
        'echo x > a.txt',
      ],
      outputFiles: ['**'],
    },
    context,
  );
  expect(outputs).toMatchObject({ exitCode: 0, vars: { project: 'p1' } });
  expect(Object.keys(outputs.outputFiles as object)).toEqual(['a.txt']);
  expect(context.logs.map(({ message }) => message.trim())).toContain(String(serviceAccount.length));
});

test('HttpFunction calls with a token for the address', async () => {
  let reply: Reply = { body: { done: true } };
  const { run, received } = await startGoogle(() => reply);
  const url = 'https://eu-p.cloudfunctions.net/f?x=1';
  expect(await run(httpFunction, { httpMethod: 'post', url, httpBody: { a: 1 } })).toEqual({
    responseBody: { done: true },
  });
  expect(received[0]).toMatchObject({ method: 'POST', host: 'eu-p.cloudfunctions.net', json: { a: 1 } });
  expect(received[0]?.headers.authorization).toBe(
    'Bearer ya29.test-token.for.https://eu-p.cloudfunctions.net/f',
  );
  reply = { body: 'plain' };
  expect(await run(httpFunction, { httpMethod: 'GET', url })).toEqual({ responseBody: 'plain' });
  reply = { status: 404, body: 'no such function' };
  await expect(run(httpFunction, { httpMethod: 'GET', url })).rejects.toThrow(
    'The function responded with HTTP 404: no such function',
  );
});

test('ClusterMetadata describes a cluster', async () => {
  const { run, calls } = await startGoogle(() => ({
    body: {
      name: 'c',
      endpoint: '10.0.0.1',
      subnetwork: 's',
      nodePools: [{ name: 'p', status: 'RUNNING' }],
      masterAuth: { clusterCaCertificate: 'abc' },
    },
  }));
  expect(await run(clusterMetadata, { clusterId: 'c', clusterZone: 'z', clusterProjectId: 'other' })).toEqual(
    {
      name: 'c',
      endpoint: '10.0.0.1',
      subNetwork: 's',
      project: 'other',
      nodePoolsCount: 1,
      nodePools: [{ name: 'p', status: 'RUNNING' }],
      masterAuth: { clusterCertificate: 'abc' },
    },
  );
  expect(calls()).toEqual(['GET container.googleapis.com/v1/projects/other/locations/z/clusters/c']);
});

test('InvokeWorkflow waits, and fails with the state', async () => {
  let end = 'SUCCEEDED';
  const { run, received } = await startGoogle(({ method }) => ({
    body: { name: 'projects/p/x/workflowInvocations/1', state: method === 'POST' ? 'RUNNING' : end },
  }));
  const properties = { location: 'eu', repositoryId: 'r', workflowConfigId: 'w' };
  expect(await run(invokeWorkflow, properties)).toMatchObject({ workflowInvocationState: 'SUCCEEDED' });
  expect(received[0]?.json).toEqual({
    workflowConfig: 'projects/my-project/locations/eu/repositories/r/workflowConfigs/w',
  });
  end = 'FAILED';
  await expect(run(invokeWorkflow, properties)).rejects.toThrow('ended in state FAILED');
});

describe('Firestore', () => {
  const documents = '/v1/projects/my-project/databases/(default)/documents';

  test('writes and reads documents of every kind of value', async () => {
    let stored: Json = {};
    const { run, received } = await startGoogle(({ method, json }) => {
      if (method === 'PATCH') stored = json;
      return method === 'GET' && !stored.fields
        ? refusal(404, 'missing')
        : { body: { ...stored, updateTime: '2026-01-31T08:00:00Z' } };
    });
    const document = {
      name: 'Ada',
      age: 36,
      rate: 1.5,
      ok: true,
      none: null,
      list: [1, 'a'],
      deep: { x: 1 },
    };
    const place = { collection: 'customers', childPath: 'ada' };
    expect(await run(find(firestoreTypes, 'Get'), place)).toEqual({});
    expect(await run(find(firestoreTypes, 'Set'), { ...place, document })).toEqual({
      updatedTime: '2026-01-31T08:00:00Z',
    });
    expect(stored.fields).toMatchObject({
      age: { integerValue: '36' },
      rate: { doubleValue: 1.5 },
      list: { arrayValue: { values: [{ integerValue: '1' }, { stringValue: 'a' }] } },
    });
    expect(await run(find(firestoreTypes, 'Get'), place)).toEqual({ row: document });
    await run(find(firestoreTypes, 'Set'), { collection: 'customers', document: '{"a":1}' });
    expect(received.at(-1)).toMatchObject({ method: 'POST', path: `${documents}/customers` });
    await run(find(firestoreTypes, 'Delete'), place);
    expect(received.at(-1)?.json).toEqual({ writes: [{ delete: `${documents.slice(4)}/customers/ada` }] });
  });

  test('finds documents by filters', async () => {
    const { run, received, context } = await startGoogle(() => ({
      body: [
        { document: { fields: { n: { integerValue: '1' } } } },
        { document: { fields: { n: { integerValue: '2' } } } },
        { readTime: 'x' },
      ],
    }));
    const query = {
      collection: 'customers/ada/orders',
      filters: [
        { field: 'state', value: 'NEW' },
        { field: 'a.b-c', value: 3, operator: 'GREATER_THAN' },
      ],
      orderBy: 'n',
      limit: 5,
    };
    expect(await run(find(firestoreTypes, 'Query'), { ...query, fetchType: 'FETCH' })).toEqual({
      rows: [{ n: 1 }, { n: 2 }],
      size: 2,
    });
    expect(received[0]).toMatchObject({
      path: `${documents}/customers/ada:runQuery`,
      json: {
        structuredQuery: {
          from: [{ collectionId: 'orders' }],
          where: {
            compositeFilter: {
              op: 'AND',
              filters: [
                {
                  fieldFilter: { field: { fieldPath: 'state' }, op: 'EQUAL', value: { stringValue: 'NEW' } },
                },
                {
                  fieldFilter: {
                    field: { fieldPath: 'a.`b-c`' },
                    op: 'GREATER_THAN',
                    value: { integerValue: '3' },
                  },
                },
              ],
            },
          },
          limit: 5,
        },
      },
    });
    const { uri } = await run(find(firestoreTypes, 'Query'), query);
    expect(await context.files.text(String(uri))).toBe('{"n":1}\n{"n":2}\n');
  });
});

describe('Vertex AI', () => {
  const answer = {
    candidates: [
      {
        content: { parts: [{ text: 'Ada ' }, { text: 'Lovelace' }] },
        finishReason: 'STOP',
        safetyRatings: [
          { category: 'HARM_CATEGORY_HARASSMENT', probability: 'NEGLIGIBLE', probabilityScore: 0.1 },
        ],
      },
    ],
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 },
  };
  const model = { region: 'europe-west1', modelId: 'gemini-2.5-flash' };

  test('ChatCompletion and TextCompletion ask the model and count tokens', async () => {
    const { run, received, context } = await startGoogle(() => ({ body: answer }));
    const chat = {
      ...model,
      messages: [{ content: 'Who?' }],
      history: [{ content: 'Hi' }, { content: 'Hello' }],
      context: 'Be short',
    };
    expect(await run(find(vertexaiTypes, 'ChatCompletion'), chat)).toMatchObject({
      predictions: [{ content: 'Ada Lovelace', safetyAttributes: { scores: [0.1], blocked: false } }],
    });
    expect(received[0]).toMatchObject({
      host: 'europe-west1-aiplatform.googleapis.com',
      path: '/v1/projects/my-project/locations/europe-west1/publishers/google/models/gemini-2.5-flash:generateContent',
      json: {
        contents: [
          { role: 'user', parts: [{ text: 'Hi' }] },
          { role: 'model', parts: [{ text: 'Hello' }] },
          { role: 'user', parts: [{ text: 'Who?' }] },
        ],
        systemInstruction: { parts: [{ text: 'Be short' }] },
        generationConfig: { temperature: 0.2, maxOutputTokens: 128, topK: 40, topP: 0.95 },
      },
    });
    expect(context.metrics).toContainEqual({ name: 'total.token.count', type: 'counter', value: 7 });
    await run(find(vertexaiTypes, 'TextCompletion'), {
      ...model,
      prompt: 'x',
      parameters: { temperature: 1 },
    });
    expect(received[1]?.json.generationConfig).toMatchObject({ temperature: 1, topK: 40 });
  });

  test('MultimodalCompletion sends files, and a blocked prompt fails', async () => {
    let body: Json = answer;
    const { run, received, context } = await startGoogle(() => ({ body }));
    const file = await context.files.put('a.png', 'png');
    const contents = [
      { content: 'What?' },
      { mimeType: 'image/png', content: file },
      { mimeType: 'image/png', content: 'gs://b/a.png' },
    ];
    const task = find(vertexaiTypes, 'MultimodalCompletion');
    expect(await run(task, { ...model, contents })).toMatchObject({
      text: 'Ada Lovelace',
      blocked: false,
      finishReason: 'STOP',
    });
    expect(received[0]?.json.contents).toEqual([
      {
        role: 'user',
        parts: [
          { text: 'What?' },
          { inlineData: { mimeType: 'image/png', data: 'cG5n' } },
          { fileData: { mimeType: 'image/png', fileUri: 'gs://b/a.png' } },
        ],
      },
    ]);
    body = { promptFeedback: { blockReason: 'SAFETY' } };
    await expect(run(task, { ...model, contents })).rejects.toThrow('The model refused the prompt: SAFETY.');
  });

  test('CustomJob shows the log, waits and deletes the job', async () => {
    const name = 'projects/1/locations/europe-west1/customJobs/42';
    const { run, received, context } = await startGoogle(({ host, method }): Reply => {
      if (host.startsWith('logging'))
        return {
          body: { entries: [{ insertId: 'a', timestamp: '2026-01-31T08:00:00Z', textPayload: 'epoch 1' }] },
        };
      return {
        body:
          method === 'POST'
            ? { name, state: 'JOB_STATE_PENDING' }
            : { name, state: 'JOB_STATE_SUCCEEDED', endTime: 'now' },
      };
    });
    const spec = {
      workerPoolSpecs: [
        {
          containerSpec: { imageUri: 'i', env: { A: 'b' } },
          machineSpec: { machineType: 'n1' },
          discSpec: {},
        },
      ],
      scheduling: { timeOut: 'PT1H', restartJobOnWorkerRestart: false },
    };
    const outputs = await run(find(vertexaiTypes, 'CustomJob'), {
      region: 'europe-west1',
      displayName: 'train',
      spec,
    });
    expect(outputs).toEqual({ name, state: 'JOB_STATE_SUCCEEDED', endDate: 'now' });
    expect(received[0]?.json).toEqual({
      displayName: 'train',
      jobSpec: {
        workerPoolSpecs: [
          {
            machineSpec: { machineType: 'n1' },
            replicaCount: '1',
            diskSpec: { bootDiskType: 'pd-ssd', bootDiskSizeGb: 100 },
            containerSpec: { imageUri: 'i', env: [{ name: 'A', value: 'b' }] },
          },
        ],
        scheduling: { timeout: '3600s', restartJobOnWorkerRestart: false },
      },
    });
    expect(context.logs.filter(({ message }) => message === 'epoch 1')).toHaveLength(1);
    expect(received.at(-1)).toMatchObject({ method: 'DELETE', path: `/v1/${name}` });
  });
});

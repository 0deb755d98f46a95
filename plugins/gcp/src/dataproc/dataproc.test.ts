import type { TaskDefinition } from '@millrace/plugin-kit';
import { describe, expect, test } from 'vitest';
import { isMap, mapAt } from '../google/json.ts';
import { type Received, type Reply, refusal, startGoogle } from '../testing/fakeGoogle.ts';
import { dataprocTypes } from './index.ts';

/** A type by the end of its name. */
const find = (name: string) => dataprocTypes.find(({ type }) => type.endsWith(`.${name}`)) as TaskDefinition; // they are all tasks

describe('Dataproc', () => {
  test('submits a batch and reports why it failed', async () => {
    let state = 'SUCCEEDED';
    const seen: Received[] = [];
    const { run } = await startGoogle((request): Reply => {
      seen.push(request);
      return {
        body: request.method === 'POST' ? { name: 'operations/1' } : { state, stateMessage: 'out of memory' },
      };
    });
    const task = find('PySparkSubmit');
    const properties = {
      region: 'eu1',
      name: 'b1',
      mainPythonFileUri: 'gs://b/m.py',
      args: ['1'],
      runtime: { version: '2.2' },
      execution: { serviceAccountEmail: 's@x' },
    };
    expect(await run(task, properties)).toEqual({ state: 'SUCCEEDED' });
    expect(seen[0]).toMatchObject({
      host: 'eu1-dataproc.googleapis.com',
      path: '/v1/projects/my-project/locations/eu1/batches',
      json: {
        pysparkBatch: { mainPythonFileUri: 'gs://b/m.py', args: ['1'] },
        runtimeConfig: { version: '2.2' },
        environmentConfig: { executionConfig: { serviceAccount: 's@x' } },
      },
    });
    expect(seen[0]?.query.get('batchId')).toBe('b1');
    state = 'FAILED';
    await expect(run(task, properties)).rejects.toThrow(
      'The batch "b1" ended in state FAILED: out of memory',
    );
  });

  test.each([
    [
      'batches.RSparkSubmit',
      { mainRFileUri: 'gs://b/m.R' },
      { sparkRBatch: { mainRFileUri: 'gs://b/m.R', args: ['1'] } },
    ],
    [
      'batches.SparkSqlSubmit',
      { queryFileUri: 'gs://b/q.sql' },
      { sparkSqlBatch: { queryFileUri: 'gs://b/q.sql', jarFileUris: ['gs://b/a.jar'] } },
    ],
    [
      'batches.SparkSubmit',
      { mainClass: 'A' },
      { sparkBatch: { mainClass: 'A', args: ['1'], jarFileUris: ['gs://b/a.jar'] } },
    ],
  ])('%s sends the program and what it takes', async (type, program, json) => {
    const { run, received } = await startGoogle(({ method }) => ({
      body: method === 'POST' ? { name: 'operations/1' } : { state: 'SUCCEEDED' },
    }));
    const task = find(type);
    const jarFileUris = type.includes('RSpark') ? {} : { jarFileUris: ['gs://b/a.jar'] };
    const properties = { region: 'eu1', name: 'b1', args: ['1'], ...jarFileUris, ...program };
    expect(await run(task, properties)).toEqual({ state: 'SUCCEEDED' });
    expect(received[0]?.json).toEqual(json);
  });

  test('creates and deletes clusters, waiting for the operation', async () => {
    let exists = false;
    const { run, received } = await startGoogle(({ method, path }): Reply => {
      if (path === '/v1/operations/1') return { body: { done: true, response: {} } };
      if (method === 'POST' && exists) return refusal(409, 'Already exists');
      if (method === 'DELETE' && !exists) return refusal(404, 'Not found');
      exists = method === 'POST';
      return { body: { name: 'operations/1' } };
    });
    const place = { clusterName: 'c', region: 'eu1' };
    const create = find('Create');
    const remove = find('Delete');
    expect(await run(create, { ...place, workers: 2, masterDiskSizeGB: 50 })).toEqual({
      clusterName: 'c',
      created: true,
    });
    expect(mapAt(mapAt(received[0]?.json ?? {}, 'config'), 'workerConfig')).toEqual({ numInstances: 2 });
    expect(isMap(mapAt(received[0]?.json ?? {}, 'config').masterConfig)).toBe(true);
    expect(await run(create, place)).toEqual({ clusterName: 'c', created: false });
    expect(await run(remove, place)).toEqual({ clusterName: 'c', deleted: true });
    expect(await run(remove, place)).toEqual({ clusterName: 'c', deleted: false });
  });
});

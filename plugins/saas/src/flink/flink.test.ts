import { expect, test } from 'vitest';
import {
  aServiceContext,
  exampleOf,
  expectExchanges,
  startServices,
  testCalls,
} from '../testing/exchange.ts';
import { flinkTypes } from './flink.ts';

startServices();

const flink = 'http://flink.example.com:8081';
const sql = 'http://flink.example.com:8083/v1/sessions/s1';
const saved = { status: { id: 'COMPLETED' }, operation: { location: 's3://flink/savepoints/1' } };

testCalls(flinkTypes, {
  headers: {},
  cases: [
    {
      type: 'flink.Submit',
      files: { file: 'the jar' },
      exchanges: [
        {
          asks: `POST ${flink}/jars/upload`,
          sends: expect.stringContaining('the jar'),
          replies: { filename: '/tmp/flink/x_file.jar' },
        },
        {
          asks: `POST ${flink}/jars/x_file.jar/run`,
          sends: { entryClass: 'com.example.WordCount', parallelism: 2, allowNonRestoredState: false },
          replies: { jobid: 'a1b2' },
        },
      ],
      gives: { jobId: 'a1b2', jarId: 'x_file.jar' },
    },
    {
      type: 'flink.CancelJob',
      exchanges: [
        {
          asks: `POST ${flink}/jobs/a1b2/stop`,
          sends: { targetDirectory: 's3://flink/savepoints', drain: false },
          replies: { 'request-id': 'r1' },
        },
        { asks: `GET ${flink}/jobs/a1b2/savepoints/r1`, replies: saved },
        { asks: `GET ${flink}/jobs/a1b2`, replies: { state: 'FINISHED' } },
      ],
      gives: { jobId: 'a1b2', savepointPath: 's3://flink/savepoints/1', cancellationResult: 'FINISHED' },
    },
    {
      type: 'flink.TriggerSavepoint',
      exchanges: [
        {
          asks: `POST ${flink}/jobs/a1b2/savepoints`,
          sends: {
            'target-directory': 's3://flink/savepoints',
            'cancel-job': false,
            formatType: 'CANONICAL',
          },
          replies: { 'request-id': 'r1' },
        },
        { asks: `GET ${flink}/jobs/a1b2/savepoints/r1`, replies: saved },
      ],
      gives: { jobId: 'a1b2', savepointPath: 's3://flink/savepoints/1', requestId: 'r1' },
    },
    {
      type: 'flink.SubmitSql',
      exchanges: [
        {
          asks: 'POST http://flink.example.com:8083/v1/sessions',
          sends: { properties: {} },
          replies: { sessionHandle: 's1' },
        },
        {
          asks: `POST ${sql}/statements`,
          sends: { statement: 'INSERT INTO sums SELECT sum(total) FROM orders' },
          replies: { operationHandle: 'o1' },
        },
        { asks: `GET ${sql}/operations/o1/status`, replies: { status: 'FINISHED' } },
        {
          asks: `GET ${sql}/operations/o1/result/0`,
          replies: {
            resultType: 'PAYLOAD',
            results: { data: [{ fields: [1] }] },
            nextResultUri: '/v1/sessions/s1/operations/o1/result/1',
          },
        },
        { asks: `GET ${sql}/operations/o1/result/1`, replies: { resultType: 'EOS', results: { data: [] } } },
      ],
      gives: { operationHandle: 'o1', sessionHandle: 's1', resultCount: 1, status: 'FINISHED' },
    },
  ],
});

test('flink.MonitorJob starts once when the job has ended, and reports a failed one', async () => {
  const trigger = flinkTypes.find(({ kind }) => kind === 'trigger');
  if (trigger?.kind !== 'trigger') throw new Error('No trigger');
  const context = aServiceContext();
  const poll = (state: string, more: object = {}) => {
    expectExchanges([{ asks: '', replies: { state } }]);
    return trigger.poll?.(context, trigger.input.parse({ ...exampleOf(trigger), ...more }));
  };
  expect(await poll('RUNNING')).toBeUndefined();
  await expect(poll('FAILED', { expectedTerminalStates: ['FINISHED'] })).rejects.toThrow('has failed');
  expect(await poll('FINISHED')).toEqual({ jobId: 'a1b2', state: 'FINISHED' });
  expect(await poll('FINISHED')).toBeUndefined();
});

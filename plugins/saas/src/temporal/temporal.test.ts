import { expect } from 'vitest';
import { startServices, testCalls } from '../testing/exchange.ts';
import { temporalTypes } from './temporal.ts';

startServices();

const api = 'http://temporal.example.com:7243/api/v1/namespaces/default';
const action = {
  startWorkflow: {
    workflowId: 'nightly',
    workflowType: { name: 'CloseDay' },
    taskQueue: { name: 'orders' },
    input: [],
  },
};
const body = { schedule: { spec: { cronString: ['0 2 * * *'] }, action }, requestId: expect.any(String) };
const info = (status: string) => ({
  workflowExecutionInfo: { status: `WORKFLOW_EXECUTION_STATUS_${status}` },
});

testCalls(temporalTypes, {
  headers: {},
  cases: [
    {
      type: 'temporal.workflow.Query',
      exchanges: [
        {
          asks: `POST ${api}/workflows/order-1/query/getStatus`,
          sends: { query: { queryArgs: [] } },
          replies: { queryResult: [{ paid: true }] },
        },
      ],
      gives: { result: '{"paid":true}' },
    },
    {
      type: 'temporal.workflow.Signal',
      when: 'with the port of gRPC and a key',
      with: { endpoint: 'temporal.example.com:7233', apiKey: 'k' },
      exchanges: [
        {
          asks: `POST ${api.replace('http:', 'https:')}/workflows/order-1/signal/approve`,
          headers: { authorization: 'Bearer k' },
          sends: { input: ['ada'] },
          replies: {},
        },
      ],
    },
    {
      type: 'temporal.workflow.Trigger',
      with: { executionTimeout: 'PT1M' },
      exchanges: [
        {
          asks: `POST ${api}/workflows/order-1`,
          sends: {
            workflowType: { name: 'ProcessOrder' },
            taskQueue: { name: 'orders' },
            input: [{ order: 1 }],
            requestId: expect.any(String),
            workflowExecutionTimeout: '60s',
          },
          replies: { runId: 'r1' },
        },
      ],
      gives: { workflowId: 'order-1', runId: 'r1' },
    },
    {
      type: 'temporal.workflow.Schedule',
      with: { overwrite: true },
      exchanges: [
        { asks: `POST ${api}/schedules/nightly`, sends: body, status: 409, replies: { message: 'exists' } },
        { asks: `POST ${api}/schedules/nightly/update`, sends: body, replies: {} },
      ],
      gives: { scheduleId: 'nightly' },
    },
    {
      type: 'temporal.workflow.Wait',
      with: { pollInterval: 'PT0.01S', runId: 'r1' },
      exchanges: [
        { asks: `GET ${api}/workflows/order-1?execution.runId=r1`, replies: info('RUNNING') },
        { asks: `GET ${api}/workflows/order-1?execution.runId=r1`, replies: info('COMPLETED') },
        {
          asks: `GET ${api}/workflows/order-1/history?historyEventFilterType=HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT&execution.runId=r1`,
          replies: {
            history: { events: [{ workflowExecutionCompletedEventAttributes: { result: ['done'] } }] },
          },
        },
      ],
      gives: { status: 'COMPLETED', result: 'done' },
    },
    {
      type: 'temporal.workflow.Wait',
      when: 'for a workflow that fails',
      exchanges: [{ asks: `GET ${api}/workflows/order-1`, replies: info('FAILED') }],
      fails: 'The workflow order-1 ended as FAILED.',
    },
  ],
});

import { runType } from '@millrace/plugin-kit/testing';
import {
  aServiceContext,
  exampleOf,
  expectExchanges,
  startServices,
  testCalls,
} from '@millrace/plugin-saas/testing';
import { describe, expect, test } from 'vitest';
import { signHeaders } from './client/sign.ts';
import { huaweiFamily } from './index.ts';
import { cesTypes } from './services/ces.ts';
import { eventgridTypes } from './services/eventgrid.ts';
import { functiongraphTypes } from './services/functiongraph.ts';
import { identityTypes } from './services/identity.ts';
import { rfsTypes } from './services/rfs.ts';
import { smnTypes } from './services/smn.ts';
import { signatureProblem } from './testing/checkSignature.ts';

startServices();

const secretOf = (access: string) =>
  access === 'HUAWEI_ACCESS_KEY_ID' ? 'HUAWEI_SECRET_ACCESS_KEY' : `secret of ${access}`;
const project = 'HUAWEI_PROJECT_ID';
const at = (service: string) => `https://${service}.eu-west-101.myhuaweicloud.com`;

const stack = `${at('rfs')}/v1/${project}/stacks`;
const template = {
  template_uri: 'https://templates.obs.eu-west-101.myhuaweicloud.com/main.tf',
  vars_structure: [{ var_key: 'size', var_value: 'small' }],
};
const topic = 'urn:smn:eu-west-101:0970d7b7d400f2470fbec00316a03560:reports';
const urn = 'urn:fss:eu-west-101:0970d7b7d400f2470fbec00316a03560:function:default:report:latest';
const invocation = `POST ${at('functiongraph')}/v2/${project}/fgs/functions/${encodeURIComponent(urn)}/invocations`;
const event = {
  id: 'order-1',
  source: 'shop',
  type: 'order.created',
  specversion: '1.0',
  datacontenttype: 'application/json',
  data: { order: 1 },
};
const channel = `POST ${at('eg')}/v1/${project}/channels/6e9d7b2c-1f0e-4a57-9a8e-0f0c2b1d4e5f/events`;
const fast = { interval: 'PT0.01S' };

testCalls(
  [...cesTypes, ...eventgridTypes, ...functiongraphTypes, ...rfsTypes, ...smnTypes].filter(
    ({ type }) => type !== 'huawei.ces.Query',
  ),
  {
    headers: { 'x-project-id': project },
    verify: (received) => expect(signatureProblem(received, secretOf)).toBeUndefined(),
    cases: [
      {
        type: 'huawei.ces.Push',
        with: {
          metrics: [
            {
              metricName: 'open',
              dimensions: [{ name: 'shop', value: 'berlin' }],
              value: 17,
              unit: 'count',
              type: 'int',
              collectTime: 1_770_000_000_000,
            },
          ],
        },
        exchanges: [
          {
            asks: `POST ${at('ces')}/V1.0/${project}/metric-data`,
            sends: [
              {
                metric: {
                  namespace: 'SHOP.orders',
                  metric_name: 'open',
                  dimensions: [{ name: 'shop', value: 'berlin' }],
                },
                ttl: 172_800,
                collect_time: 1_770_000_000_000,
                type: 'int',
                value: 17,
                unit: 'count',
              },
            ],
            status: 201,
          },
        ],
        gives: { count: 1 },
        metrics: { 'ces.push.count': 1 },
      },
      {
        type: 'huawei.eventgrid.PutEvents',
        exchanges: [
          {
            asks: channel,
            sends: { events: [event] },
            replies: { failed_count: 0, events: [{ event_id: 'e1' }] },
          },
        ],
        gives: { eventCount: 1, failedEventCount: 0 },
        stores: { uri: '{"event_id":"e1"}\n' },
        metrics: { 'eventgrid.putevents.count': 1 },
      },
      {
        type: 'huawei.eventgrid.PutEvents',
        when: 'that are refused',
        exchanges: [
          {
            asks: channel,
            sends: { events: [event] },
            replies: { failed_count: 1, events: [{ error_code: 'EG.1', error_msg: 'too large' }] },
          },
        ],
        fails: 'EventGrid refused 1 of 1 events: EG.1: too large',
      },
      {
        type: 'huawei.functiongraph.Invoke',
        with: { functionPayload: { day: 1 }, fetchLogs: true },
        exchanges: [
          {
            asks: invocation,
            sends: { day: 1 },
            headers: { 'x-cff-request-version': 'v1', 'x-cff-log-type': 'tail' },
            replies: { request_id: 'r1', result: '{"ok":true}', log: 'line', status: 200 },
          },
        ],
        gives: { contentLength: 11, requestId: 'r1', statusCode: 200, logs: 'line' },
        stores: { uri: '{"ok":true}' },
      },
      {
        type: 'huawei.functiongraph.Invoke',
        when: 'of a function that fails',
        with: { functionPayload: { day: 1 } },
        exchanges: [
          {
            asks: invocation,
            sends: { day: 1 },
            replies: { request_id: 'r1', result: 'no such day', status: 500 },
          },
        ],
        fails: 'The function failed with status 500: no such day',
      },
      {
        type: 'huawei.rfs.Create',
        with: fast,
        exchanges: [
          { asks: `GET ${stack}/warehouse/metadata`, status: 404 },
          {
            asks: `POST ${stack}`,
            sends: {
              stack_name: 'warehouse',
              ...template,
              enable_deletion_protection: false,
              enable_auto_rollback: true,
            },
            status: 202,
            replies: { stack_id: 's1', deployment_id: 'd1' },
          },
          { asks: `GET ${stack}/warehouse/metadata`, replies: { status: 'DEPLOYMENT_IN_PROGRESS' } },
          { asks: `GET ${stack}/warehouse/metadata`, replies: { status: 'DEPLOYMENT_COMPLETE' } },
          { asks: `GET ${stack}/warehouse/outputs`, replies: { outputs: [{ name: 'address', value: 'a' }] } },
        ],
        gives: {
          stackId: 's1',
          stackName: 'warehouse',
          deploymentId: 'd1',
          status: 'DEPLOYMENT_COMPLETE',
          outputs: { address: 'a' },
        },
      },
      {
        type: 'huawei.rfs.Create',
        when: 'of a stack that is there',
        with: { wait: false },
        exchanges: [
          {
            asks: `GET ${stack}/warehouse/metadata`,
            replies: { stack_id: 's1', status: 'DEPLOYMENT_COMPLETE' },
          },
          { asks: `POST ${stack}/warehouse/deployments`, sends: template, replies: { deployment_id: 'd2' } },
        ],
        gives: { stackId: 's1', stackName: 'warehouse', deploymentId: 'd2' },
      },
      {
        type: 'huawei.rfs.Delete',
        with: fast,
        exchanges: [
          { asks: `DELETE ${stack}/warehouse`, status: 204 },
          { asks: `GET ${stack}/warehouse/metadata`, replies: { status: 'DELETION_IN_PROGRESS' } },
          { asks: `GET ${stack}/warehouse/metadata`, status: 404 },
        ],
      },
      {
        type: 'huawei.rfs.Delete',
        when: 'of a missing stack',
        with: { errorOnMissing: true },
        exchanges: [{ asks: `DELETE ${stack}/warehouse`, status: 404 }],
        fails: 'There is no stack "warehouse".',
      },
      {
        type: 'huawei.smn.Publish',
        with: {
          message: undefined,
          messageStructure: { default: 'a', email: 'b' },
          messageAttributes: [{ name: 'shop', value: 'berlin' }],
          timeToLive: 60,
        },
        exchanges: [
          {
            asks: `POST ${at('smn')}/v2/${project}/notifications/topics/${encodeURIComponent(topic)}/publish`,
            sends: {
              subject: 'Report',
              message_structure: '{"default":"a","email":"b"}',
              time_to_live: '60',
              message_attributes: [{ name: 'shop', type: 'STRING', value: 'berlin' }],
            },
            replies: { message_id: 'm1', request_id: 'r1' },
          },
        ],
        gives: { messageId: 'm1', requestId: 'r1' },
        metrics: { 'smn.publish.messages': 1 },
      },
    ],
  },
);

const find = (type: string) => {
  const found = huaweiFamily.types.find((one) => one.type === type);
  if (found?.kind !== 'task' || found.role !== 'task') throw new Error(`No task ${type}`);
  return found;
};

describe('Cloud Eye', () => {
  const points = {
    datapoints: [
      { average: 10, timestamp: 1_770_000_000_000, unit: '%' },
      { average: 90, timestamp: 1_770_000_300_000, unit: '%' },
    ],
  };
  const shown = { timestamp: '2026-02-02T02:45:00.000Z', value: 90, unit: '%' };

  test('returns the values of a metric', async () => {
    const { received } = expectExchanges([{ asks: '', replies: points }]);
    const query = find('huawei.ces.Query');
    const outputs = await runType(query, exampleOf(query), aServiceContext());
    expect(outputs).toMatchObject({ count: 2, series: [{ value: 10 }, shown] });
    const url = new URL(received[0]?.asks.split(' ')[1] ?? '');
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      namespace: 'SYS.ECS',
      metric_name: 'cpu_util',
      'dim.0': 'instance_id,b5d7b7a3-681d-4c08-8e32-f14640b3e12e',
      period: '300',
      filter: 'average',
    });
    expect(Number(url.searchParams.get('to')) - Number(url.searchParams.get('from'))).toBe(3_600_000);
    if (received[0]) expect(signatureProblem(received[0], secretOf)).toBeUndefined();
  });

  test('starts an execution once for a value above the limit', async () => {
    const trigger = huaweiFamily.types.find(({ type }) => type === 'huawei.ces.Trigger');
    if (trigger?.kind !== 'trigger' || !trigger.poll) throw new Error('no trigger');
    expectExchanges([
      { asks: '', replies: points },
      { asks: '', replies: points },
    ]);
    const context = aServiceContext();
    const input = trigger.input.parse(exampleOf(trigger));
    expect(await trigger.poll(context, input)).toEqual({ count: 1, series: [shown] });
    expect(await trigger.poll(context, input)).toBeUndefined();
  });
});

describe('keys', () => {
  const iam = at('iam');
  const login = [
    {
      asks: `POST ${iam}/v3/auth/tokens`,
      sends: {
        auth: {
          identity: {
            methods: ['password'],
            password: { user: { name: 'flows', password: 'HUAWEI_PASSWORD', domain: { name: 'company' } } },
          },
          scope: { project: { name: 'eu-west-101' } },
        },
      },
      status: 201,
      replyHeaders: { 'x-subject-token': 'token-of-ada' },
    },
    {
      asks: `POST ${iam}/v3.0/OS-CREDENTIAL/securitytokens`,
      sends: {
        auth: { identity: { methods: ['token'], token: { id: 'token-of-ada', duration_seconds: 900 } } },
      },
      headers: { 'x-auth-token': 'token-of-ada' },
      status: 201,
      replies: {
        credential: {
          access: 'AK2',
          secret: 'secret of AK2',
          securitytoken: 'st',
          expires_at: '2099-01-01T00:00:00Z',
        },
      },
    },
  ];

  testCalls(
    identityTypes.filter(({ type }) => type === 'huawei.iam.GetTemporaryCredentials'),
    {
      headers: {},
      cases: [
        {
          type: 'huawei.iam.GetTemporaryCredentials',
          exchanges: login,
          gives: {
            accessKeyId: 'AK2',
            secretAccessKey: 'secret of AK2',
            securityToken: 'st',
            expirationTime: '2099-01-01T00:00:00.000Z',
          },
        },
      ],
    },
  );

  test('of a login sign with their token, and the project is found by the region', async () => {
    const { received } = expectExchanges([
      ...login,
      { asks: '', replies: { projects: [{ id: 'p9' }] } },
      ...login,
      { asks: '', replies: { message_id: 'm' } },
    ]);
    const context = aServiceContext();
    const outputs = await runType(
      find('huawei.smn.Publish'),
      {
        region: 'eu-west-101',
        temporaryCredentials: { username: 'flows', password: 'HUAWEI_PASSWORD', domainName: 'company' },
        topicUrn: 'urn',
        message: 'a',
      },
      context,
    );
    expect(outputs).toEqual({ messageId: 'm' });
    const signed = received.filter(({ headers }) => headers.authorization !== undefined);
    expect(signed.map(({ asks }) => asks)).toEqual([
      `GET ${iam}/v3/projects?name=eu-west-101`,
      `POST ${at('smn')}/v2/p9/notifications/topics/urn/publish`,
    ]);
    for (const one of signed) {
      expect(one.headers['x-security-token']).toBe('st');
      expect(signatureProblem(one, secretOf)).toBeUndefined();
    }
    expect(context.masker.mask('secret of AK2')).not.toContain('AK2');
  });

  test('that are missing are asked for', async () => {
    const run = runType(
      find('huawei.smn.Publish'),
      { region: 'eu-west-101', topicUrn: 'u', message: 'a' },
      aServiceContext(),
    );
    await expect(run).rejects.toThrow('Give "accessKeyId" and "secretAccessKey", or "temporaryCredentials".');
  });

  test('sign a path and a query with characters that need encoding', () => {
    const url = 'https://a.example.com/v1/x%20y/z?b=2&a=%C3%A4%20%2B&a=1';
    const keys = { accessKeyId: 'A', secretAccessKey: 'secret of A' };
    const headers = signHeaders({ url, method: 'GET' }, keys, new Date('2026-01-31T08:00:00.123Z'));
    expect(headers['x-sdk-date']).toBe('20260131T080000Z');
    expect(signatureProblem({ asks: `GET ${url}`, raw: '', headers }, secretOf)).toBeUndefined();
  });
});

test('SWR returns a login whose password is masked', async () => {
  const { received } = expectExchanges([
    {
      asks: '',
      replies: {
        auths: {
          'swr.eu-west-101.myhuaweicloud.com': {
            auth: Buffer.from('eu-west-101@AK:pass:word').toString('base64'),
          },
        },
      },
      replyHeaders: { 'x-expireat': '2026-01-31T20:00:00.000' },
    },
  ]);
  const task = find('huawei.swr.GetAuthToken');
  const context = aServiceContext();
  const outputs = await runType(task, exampleOf(task), context);
  expect(outputs).toMatchObject({
    username: 'eu-west-101@AK',
    registry: 'swr.eu-west-101.myhuaweicloud.com',
    expiry: '2026-01-31T20:00:00.000Z',
  });
  expect(received[0]?.asks).toBe(`POST ${at('swr-api')}/v2/manage/utils/secret?projectname=eu-west-101`);
  expect(context.masker.mask('pass:word')).not.toContain('pass');
});

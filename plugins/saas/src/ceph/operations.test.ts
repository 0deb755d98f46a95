import { expect, test } from 'vitest';
import { metaplaneTypes } from '../metaplane/metaplane.ts';
import { netskopeTypes } from '../netskope/netskope.ts';
import {
  aServiceContext,
  exampleOf,
  expectExchanges,
  startServices,
  testCalls,
} from '../testing/exchange.ts';
import { cephTypes } from './ceph.ts';

startServices();

const ceph = 'https://ceph.example.com:8443/api';
const pool = { pool: 1, pool_name: 'images', type: 'replicated', size: 3, pg_num: 32 };
const image = { name: 'disk1', pool_name: 'images', size: 10_737_418_240, obj_size: 4_194_304 };
const snapshot = { id: 4, name: 'before-update', size: 10, is_protected: false };
const unhealthy = {
  health: { status: 'HEALTH_WARN', checks: [{ type: 'OSD_DOWN', summary: { message: '1 osds down' } }] },
};
const health = {
  status: 'HEALTH_WARN',
  summary: ['1 osds down'],
  checks: unhealthy.health.checks,
};
const atImage = `${ceph}/block/image/images%2Fdisk1`;
const withSnapshot = { ...image, snapshots: [snapshot] };

testCalls(cephTypes, {
  headers: { authorization: 'Bearer CEPH_TOKEN' },
  cases: [
    {
      type: 'ceph.cluster.GetHealth',
      exchanges: [
        {
          asks: `GET ${ceph}/health/minimal`,
          headers: { accept: 'application/vnd.ceph.api.v1.0+json' },
          replies: unhealthy,
        },
      ],
      gives: health,
    },
    {
      type: 'ceph.cluster.GetStatus',
      exchanges: [{ asks: `GET ${ceph}/health/full`, replies: unhealthy }],
      gives: health,
    },
    {
      type: 'ceph.pools.Create',
      exchanges: [
        {
          asks: `POST ${ceph}/pool`,
          sends: {
            pool: 'images',
            pool_type: 'replicated',
            pg_num: 32,
            size: 3,
            application_metadata: ['rbd'],
          },
          status: 202,
        },
        { asks: `GET ${ceph}/pool/images`, replies: { ...pool, flags: 1 } },
      ],
      gives: pool,
    },
    {
      type: 'ceph.pools.Update',
      exchanges: [
        { asks: `PUT ${ceph}/pool/images`, sends: { size: 2 }, status: 202 },
        { asks: `GET ${ceph}/pool/images`, replies: { ...pool, size: 2 } },
      ],
      gives: { ...pool, size: 2 },
    },
    {
      type: 'ceph.pools.Get',
      exchanges: [{ asks: `GET ${ceph}/pool/images`, replies: pool }],
      gives: pool,
    },
    { type: 'ceph.pools.Delete', exchanges: [{ asks: `DELETE ${ceph}/pool/images`, status: 204 }] },
    {
      type: 'ceph.pools.List',
      exchanges: [{ asks: `GET ${ceph}/pool`, replies: [pool] }],
      gives: { pools: [pool], total: 1 },
    },
    {
      type: 'ceph.rbd.images.Create',
      exchanges: [
        {
          asks: `POST ${ceph}/block/image`,
          sends: { pool_name: 'images', name: 'disk1', size: 10_737_418_240 },
          status: 201,
        },
        { asks: `GET ${atImage}`, replies: { ...image, id: 'x' } },
      ],
      gives: image,
    },
    { type: 'ceph.rbd.images.Delete', exchanges: [{ asks: `DELETE ${atImage}`, status: 204 }] },
    {
      type: 'ceph.rbd.images.List',
      exchanges: [
        {
          asks: `GET ${ceph}/block/image?pool_name=images&offset=0&limit=100`,
          headers: { accept: 'application/vnd.ceph.api.v2.0+json' },
          replies: [{ pool_name: 'images', value: [image] }],
        },
      ],
      gives: { images: [image], total: 1 },
    },
    {
      type: 'ceph.rbd.snapshots.Create',
      exchanges: [
        {
          asks: `POST ${atImage}/snap`,
          sends: { snapshot_name: 'before-update', mirrorImageSnapshot: false },
          status: 201,
        },
        { asks: `GET ${atImage}`, replies: withSnapshot },
      ],
      gives: snapshot,
    },
    {
      type: 'ceph.rbd.snapshots.Delete',
      exchanges: [{ asks: `DELETE ${atImage}/snap/before-update`, status: 204 }],
    },
    {
      type: 'ceph.rbd.snapshots.Rollback',
      exchanges: [{ asks: `POST ${atImage}/snap/before-update/rollback`, status: 200 }],
      gives: { message: 'Image "images/disk1" was returned to snapshot "before-update".' },
    },
    {
      type: 'ceph.rbd.snapshots.Clone',
      exchanges: [
        { asks: `GET ${atImage}`, replies: withSnapshot },
        { asks: `PUT ${atImage}/snap/before-update`, sends: { is_protected: true } },
        {
          asks: `POST ${atImage}/snap/before-update/clone`,
          sends: { child_pool_name: 'images', child_image_name: 'disk2' },
        },
        { asks: `GET ${ceph}/block/image/images%2Fdisk2`, replies: { ...image, name: 'disk2' } },
      ],
      gives: { ...image, name: 'disk2' },
    },
    {
      type: 'ceph.rbd.snapshots.List',
      exchanges: [{ asks: `GET ${atImage}`, replies: withSnapshot }],
      gives: { snapshots: [snapshot], total: 1 },
    },
    {
      type: 'ceph.rgw.CreateBucket',
      exchanges: [
        {
          asks: `POST ${ceph}/rgw/bucket`,
          sends: { bucket: 'reports', uid: 'robot' },
          status: 201,
        },
        { asks: `GET ${ceph}/rgw/bucket/reports`, replies: { bucket: 'reports', id: 'b1' } },
      ],
      gives: { bucket: 'reports', owner: 'robot', id: 'b1' },
    },
    {
      type: 'ceph.rgw.DeleteBucket',
      exchanges: [{ asks: `DELETE ${ceph}/rgw/bucket/reports?purge_objects=false`, status: 204 }],
    },
    {
      type: 'ceph.rgw.ListBuckets',
      exchanges: [{ asks: `GET ${ceph}/rgw/bucket`, replies: ['reports', 'raw'] }],
      gives: { buckets: ['reports', 'raw'], total: 2 },
    },
    {
      type: 'ceph.rgw.CreateUser',
      exchanges: [
        {
          asks: `POST ${ceph}/rgw/user`,
          sends: { uid: 'robot', display_name: 'Robot' },
          replies: { user_id: 'robot', display_name: 'Robot', email: '', keys: [] },
        },
      ],
      gives: { userId: 'robot', displayName: 'Robot', keys: [] },
    },
    {
      type: 'ceph.rgw.ListUsers',
      when: 'with one name',
      with: { fetchType: 'FETCH_ONE' },
      exchanges: [{ asks: `GET ${ceph}/rgw/user`, replies: ['robot', 'anna'] }],
      gives: { users: ['robot'], total: 2 },
    },
  ],
});

test('Ceph: user and password are exchanged for a token, and the trigger fires while the cluster is not healthy', async () => {
  const trigger = cephTypes.find(({ type }) => type === 'ceph.cluster.HealthTrigger');
  if (trigger?.kind !== 'trigger' || !trigger.poll) throw new Error('No trigger');
  const { token: _, ...properties } = exampleOf(trigger);
  const { received } = expectExchanges([
    { asks: '', replies: { token: 'made' } },
    { asks: '', replies: { health: { status: 'HEALTH_OK', checks: [] } } },
    { asks: '', replies: { token: 'made' } },
    { asks: '', replies: unhealthy },
  ]);
  const input = trigger.input.parse({ ...properties, username: 'admin', password: 'pw' });
  expect(await trigger.poll(aServiceContext(), input)).toBeUndefined();
  expect(await trigger.poll(aServiceContext(), input)).toEqual(health);
  expect(received[0]).toMatchObject({
    asks: `POST ${ceph}/auth`,
    sends: { username: 'admin', password: 'pw' },
  });
  expect(received[1]?.headers.authorization).toBe('Bearer made');
});

const metaplane = 'https://dev.api.metaplane.dev';
const monitorId = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
const statusAt = `GET ${metaplane}/v2/monitors/status/${monitorId}`;
const checkedAt = '2026-01-31T08:00:00Z';
const failed = {
  timestamp: checkedAt,
  isErrored: false,
  statuses: [
    { status: 'PASS', result: 1 },
    { status: 'FAIL', result: 9, groups: { country: 'FR' } },
  ],
};
const series = [
  { status: 'PASS', result: 1 },
  { status: 'FAIL', result: 9, groups: { country: 'FR' } },
];

testCalls(metaplaneTypes, {
  headers: { authorization: 'Bearer METAPLANE_API_TOKEN' },
  cases: [
    {
      type: 'metaplane.Run',
      exchanges: [{ asks: `POST ${metaplane}/v1/monitors/run`, sends: { monitorIds: [monitorId] } }],
      gives: { monitorIds: [monitorId] },
    },
    {
      type: 'metaplane.Get',
      exchanges: [{ asks: statusAt, replies: failed }],
      gives: { monitorId, status: 'FAIL', checkedAt, series },
    },
    {
      type: 'metaplane.Get',
      when: 'of a monitor that has not run',
      exchanges: [{ asks: statusAt, status: 404 }],
      fails: 'has not run yet',
    },
    {
      type: 'metaplane.List',
      exchanges: [
        {
          asks: `GET ${metaplane}/v1/monitors/connection/7c9e6679-7425-40de-944b-e07fc1f90ae7?includeDisabled=false&fetchGroups=false`,
          replies: { data: [{ id: 'm1', name: 'Rows' }] },
        },
      ],
      gives: { monitors: [{ id: 'm1', name: 'Rows' }], total: 1 },
    },
    {
      type: 'metaplane.Gate',
      exchanges: [{ asks: statusAt, replies: failed }],
      fails: `Monitors of Metaplane failed: ${monitorId}.`,
    },
    {
      type: 'metaplane.Gate',
      when: 'with runFirst waits for a new result',
      with: { runFirst: true, pollInterval: 'PT0.01S', failStrategy: 'NONE' },
      exchanges: [
        { asks: `POST ${metaplane}/v1/monitors/run`, sends: { monitorIds: [monitorId] } },
        { asks: statusAt, replies: failed },
        { asks: statusAt, replies: { ...failed, timestamp: '2999-01-01T00:00:00Z' } },
      ],
      gives: {
        passed: false,
        failedMonitorIds: [monitorId],
        monitors: [{ monitorId, status: 'FAIL', checkedAt: '2999-01-01T00:00:00Z', stale: false, series }],
      },
    },
  ],
});

const netskope = 'https://company.goskope.com/api/v2';
const patch = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

testCalls(
  netskopeTypes.filter(({ type }) => !type.includes('.scim.')),
  {
    headers: { 'netskope-api-token': 'NETSKOPE_TOKEN' },
    cases: [
      {
        type: 'netskope.events.AuditLogs',
        with: { lookbackPeriod: 'PT1H' },
        exchanges: [{ asks: expect.stringContaining(`GET ${netskope}/events/data/audit?starttime=`) }],
        gives: { logCount: 0 },
        stores: { uri: '' },
      },
      {
        type: 'netskope.events.GetAlerts',
        exchanges: [
          {
            asks: `GET ${netskope}/events/datasearch/alert?query=alert_type%20eq%20%27DLP%27&limit=5000&offset=0`,
            replies: { ok: 1, result: [{ id: 1 }] },
          },
        ],
        gives: { alertCount: 1 },
        stores: { uri: '{"id":1}\n' },
      },
      {
        type: 'netskope.events.GetEvents',
        exchanges: [
          {
            asks: `GET ${netskope}/events/datasearch/page?query=app%20eq%20%27Dropbox%27&limit=5000&offset=0`,
            replies: { ok: 1, result: [{ id: 1 }] },
          },
        ],
        gives: { eventCount: 1 },
        stores: { uri: '{"id":1}\n' },
      },
      {
        type: 'netskope.remediation.UpdateAlert',
        exchanges: [
          {
            asks: `PATCH ${netskope}/incidents/update`,
            sends: {
              payload: [
                {
                  incident_id: Number('1807262583165050077'),
                  field: 'status',
                  new_value: 'closed',
                  user: 'Millrace',
                },
              ],
            },
            replies: { ok: 1, result: '1' },
          },
          {
            asks: `POST ${netskope}/incidents/dlpincidents/1807262583165050077/notes`,
            sends: { content: 'False positive' },
          },
        ],
        gives: { alertId: '1807262583165050077', updatedStatus: 'closed' },
      },
      {
        type: 'netskope.remediation.UpdatePolicyGroup',
        exchanges: [
          {
            asks: `PATCH ${netskope}/policy/npa/policygroups/12`,
            sends: { operation: 'add', entity: 'anna@example.com' },
          },
        ],
        gives: { policyGroupId: '12', operation: 'add' },
      },
    ],
  },
);

testCalls(
  netskopeTypes.filter(({ type }) => type.includes('.scim.')),
  {
    headers: { authorization: 'Bearer NETSKOPE_SCIM_TOKEN' },
    cases: [
      {
        type: 'netskope.scim.ManageUser',
        exchanges: [
          {
            asks: `PATCH ${netskope}/scim/Users/5f3c`,
            sends: { schemas: [patch], Operations: [{ op: 'replace', path: 'active', value: false }] },
          },
        ],
        gives: { userId: '5f3c', active: false },
      },
      {
        type: 'netskope.scim.PatchGroup',
        exchanges: [
          {
            asks: `GET ${netskope}/scim/Users?filter=userName%20eq%20%22anna%40example.com%22`,
            replies: { Resources: [{ id: 'u1' }] },
          },
          {
            asks: `PATCH ${netskope}/scim/Groups/77`,
            sends: {
              schemas: [patch],
              Operations: [{ op: 'add', path: 'members', value: [{ value: 'u1' }] }],
            },
          },
        ],
        gives: { groupId: '77', operation: 'add' },
      },
    ],
  },
);

import { expect, test } from 'vitest';
import {
  aServiceContext,
  type Case,
  exampleOf,
  expectExchanges,
  startServices,
  testCalls,
} from '../testing/exchange.ts';
import { dropletTypes } from './droplets.ts';
import { resourceTypes } from './resources.ts';
import { volumeTypes } from './volumes.ts';

startServices();

const api = 'https://api.digitalocean.com/v2';

/** Get, delete and list of a resource, which have the same form for all resources. */
function common(
  type: string,
  path: string,
  id: string,
  key: string,
  listKey: string,
  one: object,
  gives: object,
): Case[] {
  const next = `${api}${path}?page=2`;
  return [
    {
      type: `digitalocean.${type}.Get`,
      exchanges: [{ asks: `GET ${api}${path}/${id}`, replies: { [key]: one } }],
      gives: { ...gives },
    },
    { type: `digitalocean.${type}.Delete`, exchanges: [{ asks: `DELETE ${api}${path}/${id}`, status: 204 }] },
    {
      type: `digitalocean.${type}.List`,
      exchanges: [
        {
          asks: `GET ${api}${path}?per_page=200`,
          replies: { [listKey]: [one], links: { pages: { next } }, meta: { total: 2 } },
        },
        { asks: `GET ${next}`, replies: { [listKey]: [one], links: {}, meta: { total: 2 } } },
      ],
      gives: { rows: [one, one], size: 2, total: 2 },
    },
  ];
}

const database = { id: 'db1', name: 'orders', connection: { host: 'h', port: 25060 } };
const shownDatabase = { id: 'db1', name: 'orders', host: 'h', port: 25060 };
const domain = { name: 'example.com', ttl: 1800, zone_file: 'z' };
const shownDomain = { name: 'example.com', ttl: 1800, zoneFile: 'z' };
const record = { id: 42, type: 'A', name: 'www', data: '192.0.2.1', ttl: 1800 };
const firewall = { id: 'f1', name: 'web', status: 'waiting', created_at: 'c' };
const shownFirewall = { id: 'f1', name: 'web', status: 'waiting', createdAt: 'c' };
const cluster = { id: 'k1', name: 'shop', status: { state: 'running' } };
const shownCluster = { id: 'k1', name: 'shop', status: 'running' };
const droplet = {
  id: 3164494,
  name: 'worker',
  region: { slug: 'fra1' },
  size_slug: 's-1vcpu-1gb',
  networks: { v4: [{ ip_address: '192.0.2.1', type: 'public' }] },
  created_at: '2026-01-31T08:00:00Z',
};
const shownDroplet = {
  id: 3164494,
  name: 'worker',
  region: 'fra1',
  sizeSlug: 's-1vcpu-1gb',
  ip: '192.0.2.1',
  createdAt: '2026-01-31T08:00:00Z',
};
const balancer = { id: 'lb1', name: 'web', ip: '192.0.2.9', region: { slug: 'fra1' } };
const shownBalancer = { id: 'lb1', name: 'web', ip: '192.0.2.9', region: 'fra1' };
const balancerBody = {
  name: 'web',
  region: 'fra1',
  forwarding_rules: [{ entry_protocol: 'http', entry_port: 80, target_protocol: 'http', target_port: 8080 }],
};
const volume = { id: 'v1', name: 'data', region: { slug: 'fra1' }, size_gigabytes: 10 };
const shownVolume = { id: 'v1', name: 'data', region: 'fra1', sizeGigabytes: 10 };
const action = { action: { id: 7, status: 'in-progress', type: 'x' } };
const shownAction = { actionId: 7, status: 'in-progress', type: 'x' };
const actions = `POST ${api}/droplets/3164494/actions`;
const rules = (kind: string) => [
  { protocol: 'tcp', ports: kind === 'sources' ? '443' : 'all', [kind]: { addresses: ['0.0.0.0/0'] } },
];

const newRecord = { type: 'A', name: 'www', data: '192.0.2.1', ttl: 1800 };

testCalls([...resourceTypes, ...dropletTypes, ...volumeTypes], {
  headers: { authorization: 'Bearer DIGITALOCEAN_TOKEN' },
  cases: [
    ...common('database', '/databases', 'db1', 'database', 'databases', database, shownDatabase),
    ...common('domain', '/domains', 'example.com', 'domain', 'domains', domain, shownDomain),
    ...common(
      'domain.record',
      '/domains/example.com/records',
      '42',
      'domain_record',
      'domain_records',
      record,
      record,
    ),
    ...common('firewall', '/firewalls', 'f1', 'firewall', 'firewalls', firewall, shownFirewall),
    ...common(
      'kubernetes',
      '/kubernetes/clusters',
      'k1',
      'kubernetes_cluster',
      'kubernetes_clusters',
      cluster,
      shownCluster,
    ),
    ...common('droplet', '/droplets', '3164494', 'droplet', 'droplets', droplet, shownDroplet),
    ...common(
      'loadbalancer',
      '/load_balancers',
      'lb1',
      'load_balancer',
      'load_balancers',
      balancer,
      shownBalancer,
    ),
    ...common('volume', '/volumes', 'v1', 'volume', 'volumes', volume, shownVolume),
    {
      type: 'digitalocean.database.Create',
      exchanges: [
        {
          asks: `POST ${api}/databases`,
          sends: {
            name: 'orders',
            engine: 'pg',
            version: '16',
            region: 'fra1',
            size: 'db-s-1vcpu-1gb',
            num_nodes: 1,
          },
          status: 201,
          replies: { database },
        },
      ],
      gives: shownDatabase,
    },
    {
      type: 'digitalocean.database.Resize',
      exchanges: [
        {
          asks: `PUT ${api}/databases/db1/resize`,
          sends: { size: 'db-s-2vcpu-4gb', num_nodes: 2 },
          status: 202,
        },
      ],
    },
    {
      type: 'digitalocean.domain.Create',
      exchanges: [
        {
          asks: `POST ${api}/domains`,
          sends: { name: 'example.com', ip_address: '192.0.2.1' },
          replies: { domain },
        },
      ],
      gives: shownDomain,
    },
    {
      type: 'digitalocean.domain.record.Create',
      exchanges: [
        {
          asks: `POST ${api}/domains/example.com/records`,
          sends: newRecord,
          status: 201,
          replies: { domain_record: record },
        },
      ],
      gives: record,
    },
    {
      type: 'digitalocean.domain.record.Create',
      when: 'with data that is refused',
      exchanges: [
        {
          asks: `POST ${api}/domains/example.com/records`,
          sends: newRecord,
          status: 422,
          replies: { id: 'unprocessable_entity', message: 'Data needs to end with a dot' },
        },
      ],
      fails: 'Data needs to end with a dot',
    },
    {
      type: 'digitalocean.firewall.Create',
      exchanges: [
        {
          asks: `POST ${api}/firewalls`,
          sends: { name: 'web', inbound_rules: rules('sources'), outbound_rules: rules('destinations') },
          status: 202,
          replies: { firewall },
        },
      ],
      gives: shownFirewall,
    },
    {
      type: 'digitalocean.kubernetes.Create',
      exchanges: [
        {
          asks: `POST ${api}/kubernetes/clusters`,
          sends: {
            name: 'shop',
            region: 'fra1',
            version: '1.31.1-do.4',
            node_pools: [{ size: 's-2vcpu-4gb', name: 'main', count: 2 }],
          },
          status: 201,
          replies: { kubernetes_cluster: cluster },
        },
      ],
      gives: shownCluster,
    },
    {
      type: 'digitalocean.kubernetes.GetKubeconfig',
      exchanges: [{ asks: `GET ${api}/kubernetes/clusters/k1/kubeconfig`, replies: 'apiVersion: v1' }],
      stores: { uri: 'apiVersion: v1' },
    },
    {
      type: 'digitalocean.droplet.Create',
      exchanges: [
        {
          asks: `POST ${api}/droplets`,
          sends: {
            name: 'worker',
            region: 'fra1',
            size: 's-1vcpu-1gb',
            image: 'debian-12-x64',
            tags: ['batch'],
            backups: false,
            ipv6: false,
          },
          status: 202,
          replies: { droplet },
        },
      ],
      gives: shownDroplet,
    },
    {
      type: 'digitalocean.droplet.Action',
      exchanges: [
        { asks: actions, sends: { type: 'snapshot', name: 'before' }, status: 201, replies: action },
      ],
      gives: shownAction,
    },
    {
      type: 'digitalocean.droplet.Resize',
      exchanges: [
        { asks: actions, sends: { type: 'resize', size: 's-2vcpu-2gb', disk: false }, replies: action },
      ],
      gives: shownAction,
    },
    {
      type: 'digitalocean.loadbalancer.Create',
      exchanges: [
        { asks: `POST ${api}/load_balancers`, sends: balancerBody, replies: { load_balancer: balancer } },
      ],
      gives: shownBalancer,
    },
    {
      type: 'digitalocean.loadbalancer.Update',
      exchanges: [
        { asks: `PUT ${api}/load_balancers/lb1`, sends: balancerBody, replies: { load_balancer: balancer } },
      ],
      gives: shownBalancer,
    },
    {
      type: 'digitalocean.volume.Create',
      exchanges: [
        {
          asks: `POST ${api}/volumes`,
          sends: { name: 'data', region: 'fra1', size_gigabytes: 10 },
          replies: { volume },
        },
      ],
      gives: shownVolume,
    },
    ...(['Attach', 'Detach'] as const).map((name) => ({
      type: `digitalocean.volume.${name}`,
      exchanges: [
        {
          asks: `POST ${api}/volumes/v1/actions`,
          sends: { type: name.toLowerCase(), droplet_id: 3164494 },
          replies: action,
        },
      ],
      gives: shownAction,
    })),
  ],
});

test('digitalocean.droplet.Trigger starts for droplets that are created after the first poll', async () => {
  const trigger = dropletTypes.find(({ kind }) => kind === 'trigger');
  if (trigger?.kind !== 'trigger') throw new Error('No trigger');
  const context = aServiceContext();
  const poll = (...droplets: object[]) => {
    expectExchanges([{ asks: '', replies: { droplets } }]);
    return trigger.poll?.(context, trigger.input.parse(exampleOf(trigger)));
  };
  expect(await poll(droplet)).toBeUndefined();
  expect(await poll(droplet)).toBeUndefined();
  const created = { ...droplet, id: 5, created_at: '2026-02-01T08:00:00Z' };
  expect(await poll(droplet, created)).toMatchObject({ id: 5, region: 'fra1' });
});

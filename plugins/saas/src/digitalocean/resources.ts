import { out } from '../rest/outputs.ts';
import { may, need, preset } from '../rest/properties.ts';
import { commonCalls, digitalocean, inside } from './digitalocean.ts';

const id = out.text('The id.');
const name = out.text('The name.');
const status = out.text('The state.');
const createdAt = out.text('When it was created.', 'created_at');
const database = {
  id,
  name,
  engine: out.text('The engine.'),
  region: out.text('The region.'),
  status,
  host: out.text('The host.', 'connection.host'),
  port: out.integer('The port.', 'connection.port'),
};
const numNodes = preset.integer(1, 'The number of nodes.');

const databases = [
  ...commonCalls({
    type: 'database',
    singular: 'database cluster',
    plural: 'database clusters',
    path: '/databases',
    key: 'database',
    listKey: 'databases',
    idProperty: 'databaseId',
    output: database,
    example: { databaseId: 'db1' },
  }),
  digitalocean.task({
    type: 'database.Create',
    title: 'Create a database cluster at DigitalOcean',
    description: 'Creates a database cluster. The task does not wait until it is ready.',
    properties: {
      name: need.text('The name.'),
      engine: need.text('The engine, such as `pg`.'),
      engineVersion: need.text('The version of the engine.'),
      region: need.text('The region.'),
      size: need.text('The size of the nodes.'),
      numNodes,
    },
    request: 'POST /databases',
    body: {
      name: 'name',
      engine: 'engine',
      version: 'engineVersion',
      region: 'region',
      size: 'size',
      num_nodes: 'numNodes',
    },
    output: inside('database', database),
    example: { name: 'orders', engine: 'pg', engineVersion: '16', region: 'fra1', size: 'db-s-1vcpu-1gb' },
  }),
  digitalocean.task({
    type: 'database.Resize',
    title: 'Resize a database cluster of DigitalOcean',
    description: 'Changes the size or the number of the nodes.',
    properties: {
      databaseId: need.text('The id of the cluster.'),
      size: need.text('The size of the nodes.'),
      numNodes,
    },
    request: 'PUT /databases/{databaseId}/resize',
    body: { size: 'size', num_nodes: 'numNodes' },
    example: { databaseId: 'db1', size: 'db-s-2vcpu-4gb', numNodes: 2 },
  }),
];

const domain = {
  name,
  ttl: out.integer('How long records may be cached.'),
  zoneFile: out.text('The zone file.', 'zone_file'),
};
const record = {
  id: out.integer('The id.'),
  type: out.text('The type.'),
  name,
  data: out.text('The value.'),
  ttl: out.integer('How long it may be cached.'),
};

const domains = [
  ...commonCalls({
    type: 'domain',
    singular: 'domain',
    plural: 'domains',
    path: '/domains',
    key: 'domain',
    listKey: 'domains',
    idProperty: 'name',
    output: domain,
    example: { name: 'example.com' },
  }),
  digitalocean.task({
    type: 'domain.Create',
    title: 'Add a domain to DigitalOcean',
    description: 'Adds a domain, with an address if you like.',
    properties: { name: need.text('The name.'), ipAddress: may.text('The address of its first record.') },
    request: 'POST /domains',
    body: { name: 'name', ip_address: 'ipAddress' },
    output: inside('domain', domain),
    example: { name: 'example.com', ipAddress: '192.0.2.1' },
  }),
  ...commonCalls({
    type: 'domain.record',
    singular: 'DNS record',
    plural: 'DNS records of a domain',
    path: '/domains/{domain}/records',
    key: 'domain_record',
    listKey: 'domain_records',
    idProperty: 'recordId',
    parents: { domain: need.text('The domain.') },
    output: record,
    example: { domain: 'example.com', recordId: '42' },
  }),
  digitalocean.task({
    type: 'domain.record.Create',
    title: 'Create a DNS record at DigitalOcean',
    description: 'Creates a DNS record of a domain.',
    properties: {
      domain: need.text('The domain.'),
      recordType: need.choice(['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'SRV', 'TXT'], 'The type.'),
      name: need.text('The name, without the domain.'),
      data: need.text('The value.'),
      ttl: preset.integer(1800, 'How long it may be cached, in seconds.'),
      priority: may.integer('The priority, for MX and SRV.'),
      port: may.integer('The port, for SRV.'),
      weight: may.integer('The weight, for SRV.'),
    },
    request: 'POST /domains/{domain}/records',
    body: {
      type: 'recordType',
      name: 'name',
      data: 'data',
      ttl: 'ttl',
      priority: 'priority',
      port: 'port',
      weight: 'weight',
    },
    output: inside('domain_record', record),
    example: { domain: 'example.com', recordType: 'A', name: 'www', data: '192.0.2.1' },
  }),
];

const firewall = { id, name, status, createdAt };

const firewalls = [
  ...commonCalls({
    type: 'firewall',
    singular: 'firewall',
    plural: 'firewalls',
    path: '/firewalls',
    key: 'firewall',
    listKey: 'firewalls',
    idProperty: 'firewallId',
    output: firewall,
    example: { firewallId: 'f1' },
  }),
  digitalocean.task({
    type: 'firewall.Create',
    title: 'Create a firewall at DigitalOcean',
    description: 'Creates a firewall with rules, as the API has them.',
    properties: {
      name: need.text('The name.'),
      inboundRules: need.maps('The rules for traffic that comes in.'),
      outboundRules: need.maps('The rules for traffic that goes out.'),
      dropletIds: may.integers('The droplets behind it.'),
    },
    request: 'POST /firewalls',
    body: {
      name: 'name',
      inbound_rules: 'inboundRules',
      outbound_rules: 'outboundRules',
      droplet_ids: 'dropletIds',
    },
    output: inside('firewall', firewall),
    example: {
      name: 'web',
      inboundRules: [{ protocol: 'tcp', ports: '443', sources: { addresses: ['0.0.0.0/0'] } }],
      outboundRules: [{ protocol: 'tcp', ports: 'all', destinations: { addresses: ['0.0.0.0/0'] } }],
    },
  }),
];

const cluster = {
  id,
  name,
  region: out.text('The region.'),
  version: out.text('The version.'),
  status: out.text('The state.', 'status.state'),
  endpoint: out.text('The address of the API of the cluster.'),
  createdAt,
};

const clusters = [
  ...commonCalls({
    type: 'kubernetes',
    singular: 'Kubernetes cluster',
    plural: 'Kubernetes clusters',
    path: '/kubernetes/clusters',
    key: 'kubernetes_cluster',
    listKey: 'kubernetes_clusters',
    idProperty: 'clusterId',
    output: cluster,
    example: { clusterId: 'k1' },
  }),
  digitalocean.task({
    type: 'kubernetes.Create',
    title: 'Create a Kubernetes cluster at DigitalOcean',
    description: 'Creates a cluster. The task does not wait until it is ready.',
    properties: {
      name: need.text('The name.'),
      region: need.text('The region.'),
      kubernetesVersion: need.text('The version, such as `1.31.1-do.4`.'),
      nodePools: need.maps('The pools of nodes: `size`, `name` and `count`.'),
    },
    request: 'POST /kubernetes/clusters',
    body: { name: 'name', region: 'region', version: 'kubernetesVersion', node_pools: 'nodePools' },
    output: inside('kubernetes_cluster', cluster),
    example: {
      name: 'shop',
      region: 'fra1',
      kubernetesVersion: '1.31.1-do.4',
      nodePools: [{ size: 's-2vcpu-4gb', name: 'main', count: 2 }],
    },
  }),
  digitalocean.task({
    type: 'kubernetes.GetKubeconfig',
    title: 'Get the kubeconfig of a cluster of DigitalOcean',
    description: 'Stores the kubeconfig as a file. It contains a password.',
    properties: { clusterId: need.text('The id of the cluster.') },
    output: { uri: out.text('The file in internal storage.') },
    run: async (client, { clusterId }) => {
      const path = `/kubernetes/clusters/${encodeURIComponent(clusterId)}/kubeconfig`;
      const { uri } = await client.download(
        { path, headers: { accept: 'application/yaml' } },
        'kubeconfig.yaml',
      );
      return { uri };
    },
    example: { clusterId: 'k1' },
  }),
];

export const resourceTypes = [...databases, ...domains, ...firewalls, ...clusters];

import { mapIn, mapsIn, textOf } from '@millrace/plugin-kit';
import { out } from '../rest/outputs.ts';
import { may, need, preset } from '../rest/properties.ts';
import { commonCalls, digitalocean, inside, publicAddress } from './digitalocean.ts';

const id = out.text('The id.');
const name = out.text('The name.');
const status = out.text('The state.');
const createdAt = out.text('When it was created.', 'created_at');
const action = inside('action', {
  actionId: out.integer('The id of the action.', 'id'),
  status,
  type: out.text('The type of the action.'),
});

const droplet = {
  id: out.integer('The id.'),
  name,
  status,
  region: out.text('The region.', 'region.slug'),
  sizeSlug: out.text('The size.', 'size_slug'),
  createdAt,
};
const ip = { ip: out.text('The public address.') };
const dropletId = { dropletId: need.text('The id of the droplet.') };

const [getDroplet, ...otherDroplets] = commonCalls({
  type: 'droplet',
  singular: 'droplet',
  plural: 'droplets',
  path: '/droplets',
  key: 'droplet',
  listKey: 'droplets',
  idProperty: 'dropletId',
  output: { ...droplet, ip: out.text('The public address.', 'networks.v4.0.ip_address') },
  example: { dropletId: '3164494' },
});

const droplets = [
  ...(getDroplet ? [getDroplet] : []),
  ...otherDroplets,
  digitalocean.task({
    type: 'droplet.Create',
    title: 'Create a droplet at DigitalOcean',
    description: 'Creates a droplet. The task does not wait until it is ready.',
    properties: {
      name: need.text('The name.'),
      region: need.text('The region.'),
      size: need.text('The size.'),
      image: need.text('The image.'),
      sshKeys: may.texts('The ids or fingerprints of SSH keys.'),
      tags: may.texts('The tags.'),
      backups: preset.flag(false, 'Make backups.'),
      ipv6: preset.flag(false, 'Give it an IPv6 address.'),
      userData: may.text('A script or a configuration for the first start.'),
    },
    request: 'POST /droplets',
    body: {
      name: 'name',
      region: 'region',
      size: 'size',
      image: 'image',
      ssh_keys: 'sshKeys',
      tags: 'tags',
      backups: 'backups',
      ipv6: 'ipv6',
      user_data: 'userData',
    },
    output: { ...inside('droplet', droplet), ...ip },
    result: ({ body }) => ({ ip: publicAddress(mapIn(body).droplet) }),
    example: { name: 'worker', region: 'fra1', size: 's-1vcpu-1gb', image: 'debian-12-x64', tags: ['batch'] },
  }),
  digitalocean.task({
    type: 'droplet.Action',
    title: 'Start, stop or snapshot a droplet of DigitalOcean',
    description: 'Starts an action. The task does not wait for its end.',
    properties: {
      ...dropletId,
      action: need.choice(['POWER_ON', 'POWER_OFF', 'REBOOT', 'SNAPSHOT'], 'The action.'),
      name: may.text('The name of the snapshot.'),
    },
    request: 'POST /droplets/{dropletId}/actions',
    body: ({ action: type, name: snapshot }) => ({ type: type.toLowerCase(), name: snapshot }),
    output: action,
    example: { dropletId: '3164494', action: 'SNAPSHOT', name: 'before' },
  }),
  digitalocean.task({
    type: 'droplet.Resize',
    title: 'Resize a droplet of DigitalOcean',
    description: 'Changes the size of a droplet that is switched off.',
    properties: {
      ...dropletId,
      size: need.text('The size.'),
      disk: preset.flag(false, 'Resize the disk too, which cannot be undone.'),
    },
    request: 'POST /droplets/{dropletId}/actions',
    body: ({ size, disk }) => ({ type: 'resize', size, disk }),
    output: action,
    example: { dropletId: '3164494', size: 's-2vcpu-2gb' },
  }),
  digitalocean.trigger({
    type: 'droplet.Trigger',
    title: 'Start an execution when there is a new droplet of DigitalOcean',
    description:
      'Lists the droplets every `interval` and starts one execution for the newest droplet that was created since the last poll.',
    interval: 'PT5M',
    output: { ...droplet, sizeSlug: out.text('The size.') },
    poll: async (client, _, context) => {
      const found = mapsIn((await client.ask({ path: '/droplets', query: { per_page: 200 } })).droplets);
      const newest = found
        .map((one) => textOf(one.created_at) ?? '')
        .reduce((one, other) => (one > other ? one : other), '');
      const before = textOf(context.memory);
      context.remember(newest);
      const created = found.find(
        (one) => before !== undefined && (textOf(one.created_at) ?? '') > before && one.created_at === newest,
      );
      if (!created) return undefined;
      const {
        id: dropletNumber,
        name: title,
        region,
        status: state,
        size_slug: sizeSlug,
        created_at: at,
      } = created;
      return {
        id: dropletNumber,
        name: title,
        region: mapIn(region).slug,
        status: state,
        sizeSlug,
        createdAt: at,
      };
    },
    example: {},
  }),
];

const balancer = {
  id,
  name,
  ip: out.text('The address.'),
  status,
  region: out.text('The region.', 'region.slug'),
};
const balancerProperties = {
  name: need.text('The name.'),
  region: need.text('The region.'),
  forwardingRules: need.maps(
    'The rules: `entryProtocol`, `entryPort`, `targetProtocol`, `targetPort`, `certificateId` and `tlsPassthrough`.',
  ),
  dropletIds: may.integers('The droplets behind it.'),
};
const snake = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const toBalancer = (input: {
  name: string;
  region: string;
  forwardingRules: Record<string, unknown>[];
  dropletIds?: number[] | undefined;
}) => ({
  name: input.name,
  region: input.region,
  forwarding_rules: input.forwardingRules.map((rule) =>
    Object.fromEntries(Object.entries(rule).map(([key, value]) => [snake(key), value])),
  ),
  droplet_ids: input.dropletIds,
});
const balancerExample = {
  name: 'web',
  region: 'fra1',
  forwardingRules: [{ entryProtocol: 'http', entryPort: 80, targetProtocol: 'http', targetPort: 8080 }],
};

const balancers = [
  ...commonCalls({
    type: 'loadbalancer',
    singular: 'load balancer',
    plural: 'load balancers',
    path: '/load_balancers',
    key: 'load_balancer',
    listKey: 'load_balancers',
    idProperty: 'loadBalancerId',
    output: balancer,
    example: { loadBalancerId: 'lb1' },
  }),
  digitalocean.task({
    type: 'loadbalancer.Create',
    title: 'Create a load balancer at DigitalOcean',
    description: 'Creates a load balancer.',
    properties: balancerProperties,
    request: 'POST /load_balancers',
    body: toBalancer,
    output: inside('load_balancer', balancer),
    example: balancerExample,
  }),
  digitalocean.task({
    type: 'loadbalancer.Update',
    title: 'Update a load balancer of DigitalOcean',
    description: 'Replaces the settings of a load balancer.',
    properties: { loadBalancerId: need.text('The id of the load balancer.'), ...balancerProperties },
    request: 'PUT /load_balancers/{loadBalancerId}',
    body: toBalancer,
    output: inside('load_balancer', balancer),
    example: { loadBalancerId: 'lb1', ...balancerExample },
  }),
];

export const dropletTypes = [...droplets, ...balancers];

import { out } from '../rest/outputs.ts';
import { may, need } from '../rest/properties.ts';
import { commonCalls, digitalocean, inside } from './digitalocean.ts';

const volume = {
  id: out.text('The id.'),
  name: out.text('The name.'),
  region: out.text('The region.', 'region.slug'),
  sizeGigabytes: out.integer('The size in gigabytes.', 'size_gigabytes'),
  filesystemType: out.text('The file system.', 'filesystem_type'),
};

const move = (type: 'attach' | 'detach', title: string, description: string) =>
  digitalocean.task({
    type: `volume.${type === 'attach' ? 'Attach' : 'Detach'}`,
    title,
    description,
    properties: {
      volumeId: need.text('The id of the volume.'),
      dropletId: need.text('The id of the droplet.'),
      region: may.text('The region.'),
    },
    request: 'POST /volumes/{volumeId}/actions',
    body: ({ dropletId, region }) => ({ type, droplet_id: Number(dropletId), region }),
    output: inside('action', {
      actionId: out.integer('The id of the action.', 'id'),
      status: out.text('The state.'),
      type: out.text('The type of the action.'),
    }),
    example: { volumeId: 'v1', dropletId: '3164494' },
  });

export const volumeTypes = [
  ...commonCalls({
    type: 'volume',
    singular: 'volume',
    plural: 'volumes',
    path: '/volumes',
    key: 'volume',
    listKey: 'volumes',
    idProperty: 'volumeId',
    output: volume,
    example: { volumeId: 'v1' },
  }),
  digitalocean.task({
    type: 'volume.Create',
    title: 'Create a volume at DigitalOcean',
    description: 'Creates a volume of block storage.',
    properties: {
      name: need.text('The name.'),
      region: need.text('The region.'),
      sizeGigabytes: need.integer('The size in gigabytes.'),
      volumeDescription: may.text('A description.'),
      filesystemType: may.text('The file system, such as `ext4`.'),
    },
    request: 'POST /volumes',
    body: {
      name: 'name',
      region: 'region',
      size_gigabytes: 'sizeGigabytes',
      description: 'volumeDescription',
      filesystem_type: 'filesystemType',
    },
    output: inside('volume', volume),
    example: { name: 'data', region: 'fra1', sizeGigabytes: 10 },
  }),
  move('attach', 'Attach a volume of DigitalOcean to a droplet', 'Starts to attach a volume.'),
  move('detach', 'Detach a volume of DigitalOcean from a droplet', 'Starts to detach a volume.'),
];

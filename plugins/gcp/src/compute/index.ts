import {
  type Definition,
  duration,
  flag,
  integer,
  listOf,
  mapOf,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { type Google, segment } from '../google/client.ts';
import { type Cloud, defineGcpTask, taskExample } from '../google/define.ts';
import { dropMissing, type Json, mapAt, mapsAt, textAt } from '../google/json.ts';
import { pollUntil } from '../google/wait.ts';

const instanceProperties = {
  zone: text().describe('The zone, such as `europe-west1-b`.'),
  instanceName: text().describe('The name of the machine.'),
  timeout: duration().prefault('PT10M').describe('How long the task may take.'),
};

interface Place {
  readonly zone: string;
  readonly instanceName: string;
  readonly timeout: number;
}

const optional = () => z.string().optional();
const nameOutput = {
  instanceName: z.string().describe('The name of the machine.'),
  instanceId: optional().describe('Its id.'),
  status: optional().describe('Its state, such as `RUNNING`.'),
};
const machineOutput = () =>
  z.object({
    ...nameOutput,
    externalIp: optional().describe('Its public address.'),
    internalIp: optional().describe('Its address in the network.'),
  });

function toOutput(name: string, json: Json) {
  const [network = {}] = mapsAt(json, 'networkInterfaces');
  const [access = {}] = mapsAt(network, 'accessConfigs');
  return dropMissing({
    instanceName: name,
    instanceId: textAt(json, 'id'),
    status: textAt(json, 'status'),
    externalIp: textAt(access, 'natIP'),
    internalIp: textAt(network, 'networkIP'),
  });
}

const zoneUrl = async ({ project }: Cloud, { zone }: Place): Promise<string> =>
  `https://compute.googleapis.com/compute/v1/projects/${segment(await project())}/zones/${segment(zone)}`;

/** Waits for an operation; with `isDone` also for its effect. */
async function waitFor(
  google: Google,
  zone: string,
  operation: Json,
  { instanceName, timeout }: Place,
): Promise<void> {
  const url = `${zone}/operations/${segment(textAt(operation, 'name') ?? '')}`;
  const ended = await pollUntil(
    google,
    { what: `The operation on "${instanceName}"`, maxMs: timeout },
    async () => {
      const now = await google.get(url);
      return textAt(now, 'status') === 'DONE' ? now : undefined;
    },
  );
  const [error] = mapsAt(mapAt(ended, 'error'), 'errors');
  if (error) throw new TaskFailed(`"${instanceName}": ${textAt(error, 'message') ?? textAt(error, 'code')}`);
}

const create = defineGcpTask({
  type: 'gcp.compute.Create',
  title: 'Create a machine of Compute Engine',
  description: 'Creates a machine and waits until it runs.',
  properties: {
    ...instanceProperties,
    machineType: text().describe('The kind of the machine, such as `e2-medium`.'),
    sourceImage: text().describe(
      'The image of its disk, such as `projects/debian-cloud/global/images/family/debian-12`.',
    ),
    networkName: text().optional().describe('The network; `default` when absent.'),
    subnetworkName: text().optional().describe('The subnetwork.'),
    tags: listOf(text()).optional().describe('Network tags.'),
    metadata: mapOf(text()).optional().describe('Metadata of the machine.'),
    startupScript: text().optional().describe('A script that runs when the machine starts.'),
    diskSizeGb: integer({ min: 1 }).optional().describe('The size of its disk in GB.'),
    diskType: text().optional().describe('The kind of its disk, such as `pd-ssd`.'),
    preemptible: flag().default(false).describe('A cheaper machine that Google may stop.'),
    waitUntilRunning: flag().default(true).describe('Wait until the machine runs.'),
  },
  output: machineOutput,
  examples: [
    taskExample(
      'gcp.compute.Create',
      'Create a small machine.',
      'zone: europe-west1-b\ninstanceName: worker-1\nmachineType: e2-medium\nsourceImage: projects/debian-cloud/global/images/family/debian-12',
    ),
  ],
  async run(cloud, input) {
    const { google } = cloud;
    const zone = await zoneUrl(cloud, input);
    const { instanceName, metadata, startupScript, diskType } = input;
    const items = { ...metadata, ...(startupScript !== undefined && { 'startup-script': startupScript }) };
    const region = input.zone.replace(/-[a-z]$/, '');
    const operation = await google.post(
      `${zone}/instances`,
      dropMissing({
        name: instanceName,
        machineType: `zones/${input.zone}/machineTypes/${input.machineType}`,
        disks: [
          {
            boot: true,
            autoDelete: true,
            initializeParams: dropMissing({
              sourceImage: input.sourceImage,
              diskSizeGb: input.diskSizeGb === undefined ? undefined : String(input.diskSizeGb),
              diskType: diskType === undefined ? undefined : `zones/${input.zone}/diskTypes/${diskType}`,
            }),
          },
        ],
        networkInterfaces: [
          dropMissing({
            network: `global/networks/${input.networkName ?? 'default'}`,
            subnetwork:
              input.subnetworkName === undefined
                ? undefined
                : `regions/${region}/subnetworks/${input.subnetworkName}`,
            accessConfigs: [{ type: 'ONE_TO_ONE_NAT', name: 'External NAT' }],
          }),
        ],
        tags: input.tags && { items: input.tags },
        metadata: { items: Object.entries(items).map(([key, value]) => ({ key, value })) },
        scheduling: { preemptible: input.preemptible },
      }),
    );
    if (!input.waitUntilRunning) return { instanceName };
    await waitFor(google, zone, operation, input);
    return toOutput(instanceName, await untilStatus(google, zone, input, 'RUNNING'));
  },
});

/** The machine, as soon as it has the state. */
const untilStatus = (
  google: Google,
  zone: string,
  { instanceName, timeout }: Place,
  status: string,
): Promise<Json> =>
  pollUntil(google, { what: `"${instanceName}"`, maxMs: timeout }, async () => {
    const now = await google.get(`${zone}/instances/${segment(instanceName)}`);
    return textAt(now, 'status') === status ? now : undefined;
  });

interface Change {
  readonly name: 'Start' | 'Stop';
  readonly title: string;
  readonly flag: 'waitUntilRunning' | 'waitUntilStopped';
  readonly words: string;
  readonly status: string;
}

const changes: readonly Change[] = [
  {
    name: 'Start',
    title: 'Start a machine of Compute Engine',
    flag: 'waitUntilRunning',
    words: 'Wait until the machine runs.',
    status: 'RUNNING',
  },
  {
    name: 'Stop',
    title: 'Stop a machine of Compute Engine',
    flag: 'waitUntilStopped',
    words: 'Wait until the machine has stopped.',
    status: 'TERMINATED',
  },
];

const defineChange = ({ name, title, flag: wait, words, status }: Change): Definition =>
  defineGcpTask({
    type: `gcp.compute.${name}`,
    title,
    description: `${title} and wait for it. A machine that is in that state already is no error.`,
    properties: { ...instanceProperties, [wait]: flag().default(true).describe(words) },
    output: machineOutput,
    examples: [
      taskExample(
        `gcp.compute.${name}`,
        `${name} a machine.`,
        'zone: europe-west1-b\ninstanceName: worker-1',
      ),
    ],
    async run(cloud, read) {
      // `as`: the name of the switch is computed.
      const input = read as Place & Readonly<Record<string, unknown>>;
      const zone = await zoneUrl(cloud, input);
      const url = `${zone}/instances/${segment(input.instanceName)}`;
      const operation = await cloud.google.post(`${url}/${name.toLowerCase()}`, {});
      if (input[wait] !== true) return toOutput(input.instanceName, await cloud.google.get(url));
      await waitFor(cloud.google, zone, operation, input);
      return toOutput(input.instanceName, await untilStatus(cloud.google, zone, input, status));
    },
  });

const remove = defineGcpTask({
  type: 'gcp.compute.Delete',
  title: 'Delete a machine of Compute Engine',
  description: 'Deletes a machine and waits until it is gone.',
  properties: {
    ...instanceProperties,
    waitUntilDeleted: flag().default(true).describe('Wait until the machine is gone.'),
  },
  output: () => z.object(nameOutput),
  examples: [
    taskExample('gcp.compute.Delete', 'Delete a machine.', 'zone: europe-west1-b\ninstanceName: worker-1'),
  ],
  async run(cloud, input) {
    const zone = await zoneUrl(cloud, input);
    const { body } = await cloud.google.json({
      url: `${zone}/instances/${segment(input.instanceName)}`,
      method: 'DELETE',
    });
    if (input.waitUntilDeleted) await waitFor(cloud.google, zone, body, input);
    const status = input.waitUntilDeleted ? 'DELETED' : 'STOPPING';
    return dropMissing({ instanceName: input.instanceName, instanceId: textAt(body, 'targetId'), status });
  },
});

export const computeTypes: readonly Definition[] = [create, ...changes.map(defineChange), remove];

import { dropMissing, mapIn, textOf } from '@millrace/plugin-kit';
import { out } from '../rest/outputs.ts';
import { may, need, preset } from '../rest/properties.ts';
import {
  dataOf,
  findGuest,
  guestRows,
  jobOutput,
  jobWaiting,
  type Kind,
  nodeProperty,
  proxmox,
  runJob,
  statusPath,
  vmidProperty,
  waitForJob,
} from './service.ts';

const node = need.text('The node.');
const guest = { vmid: vmidProperty, node: nodeProperty };
const guestOutput = { vmid: out.integer('The number of the guest.'), node: out.text('The node.') };
const snapshotName = need.text('The name of the snapshot.');

const snapshots = [
  proxmox.task({
    type: 'snapshot.Create',
    title: 'Take a snapshot of a guest of Proxmox VE',
    description: 'Takes a snapshot of a virtual machine or a container.',
    properties: {
      ...guest,
      snapshotName,
      description: may.text('The description.'),
      includeMemory: preset.flag(false, 'Save the memory of a running virtual machine too.'),
      ...jobWaiting,
    },
    output: { ...guestOutput, ...jobOutput },
    run: async (client, input, context) => {
      const { kind, node: place, path } = await findGuest(client, input);
      const fields = {
        snapname: input.snapshotName,
        description: input.description,
        vmstate: kind === 'qemu' ? input.includeMemory : undefined,
      };
      const done = await runJob(client, context, { path: `${path}/snapshot`, fields }, input);
      return { vmid: input.vmid, node: place, ...done };
    },
    example: { vmid: 100, snapshotName: 'before_update' },
  }),
  proxmox.task({
    type: 'snapshot.Delete',
    title: 'Delete a snapshot of a guest of Proxmox VE',
    description: 'Deletes a snapshot; the guest is not changed.',
    properties: {
      ...guest,
      snapshotName,
      force: preset.flag(false, 'Remove it from the settings although its disks cannot be deleted.'),
      ...jobWaiting,
    },
    output: { ...guestOutput, ...jobOutput },
    run: async (client, input, context) => {
      const { node: place, path } = await findGuest(client, input);
      const request = {
        method: 'DELETE' as const,
        path: `${path}/snapshot/${encodeURIComponent(input.snapshotName)}`,
        fields: { force: input.force },
      };
      return { vmid: input.vmid, node: place, ...(await runJob(client, context, request, input)) };
    },
    example: { vmid: 100, snapshotName: 'before_update' },
  }),
  proxmox.task({
    type: 'snapshot.List',
    title: 'List the snapshots of a guest of Proxmox VE',
    description: 'Lists the snapshots of a virtual machine or a container.',
    properties: guest,
    output: { snapshots: out.maps('The snapshots.'), count: out.integer('How many there are.') },
    run: async (client, input) => {
      const { path } = await findGuest(client, input);
      const found = await dataOf(client, `${path}/snapshot`);
      // The current state is listed as a snapshot of this name.
      const rows = (Array.isArray(found) ? found : []).filter((one) => mapIn(one).name !== 'current');
      return { snapshots: rows, count: rows.length };
    },
    example: { vmid: 100 },
  }),
  proxmox.task({
    type: 'snapshot.Rollback',
    title: 'Return a guest of Proxmox VE to a snapshot',
    description: 'Returns a guest to a snapshot. Everything that changed since is lost.',
    properties: {
      ...guest,
      snapshotName,
      start: preset.flag(false, 'Start the guest afterwards.'),
      ...jobWaiting,
    },
    output: { ...guestOutput, ...jobOutput },
    run: async (client, input, context) => {
      const { node: place, path } = await findGuest(client, input);
      const request = {
        path: `${path}/snapshot/${encodeURIComponent(input.snapshotName)}/rollback`,
        fields: { start: input.start },
      };
      return { vmid: input.vmid, node: place, ...(await runJob(client, context, request, input)) };
    },
    example: { vmid: 100, snapshotName: 'before_update' },
  }),
];

const backups = [
  proxmox.task({
    type: 'backup.Create',
    title: 'Back up guests of Proxmox VE',
    description: 'Writes backups of guests of one node to a storage, and waits until they are done.',
    properties: {
      node,
      vmids: need.integers('The numbers of the guests.'),
      storage: may.text('The storage for the backups.'),
      mode: preset.choice(
        ['SNAPSHOT', 'SUSPEND', 'STOP'],
        'SNAPSHOT',
        'What happens to the guest meanwhile.',
      ),
      compress: preset.choice(['ZSTD', 'GZIP', 'LZO', 'NONE'], 'ZSTD', 'The compression.'),
      notes: may.text('The note of the backup; `{{guestname}}` and the like stand for values of the guest.'),
      isProtected: preset.flag(false, 'Protect the backup against deletion.'),
      ...jobWaiting,
    },
    output: jobOutput,
    run: async (client, input, context) => {
      const fields = {
        vmid: input.vmids,
        storage: input.storage,
        mode: input.mode.toLowerCase(),
        compress: input.compress === 'NONE' ? '0' : input.compress.toLowerCase(),
        'notes-template': input.notes,
        protected: input.isProtected || undefined,
      };
      const path = `/nodes/${encodeURIComponent(input.node)}/vzdump`;
      return runJob(client, context, { path, fields }, input);
    },
    example: { node: 'pve1', vmids: [100, 101], storage: 'backups' },
  }),
  proxmox.task({
    type: 'backup.List',
    title: 'List the backups on a storage of Proxmox VE',
    description: 'Lists the backups on a storage, of all guests or of one.',
    properties: {
      node,
      storage: need.text('The storage.'),
      vmid: may.integer('Only backups of this guest.'),
    },
    request: 'GET /nodes/{node}/storage/{storage}/content',
    query: ({ vmid }) => ({ content: 'backup', vmid }),
    rows: { at: 'data' },
    example: { node: 'pve1', storage: 'backups' },
  }),
  proxmox.task({
    type: 'backup.Restore',
    title: 'Restore a guest of Proxmox VE from a backup',
    description: 'Makes a guest from a backup of a virtual machine or a container.',
    properties: {
      node,
      vmid: need.integer('The number of the guest.'),
      archive: need.text('The backup, such as `backups:backup/vzdump-qemu-100-2026_01_31-08_00_00.vma.zst`.'),
      storage: may.text('The storage of its disks; the one it had when absent.'),
      force: preset.flag(false, 'Replace the guest with this number.'),
      unique: preset.flag(false, 'Give it new network addresses.'),
      start: preset.flag(false, 'Start it afterwards.'),
      ...jobWaiting,
    },
    output: { vmid: out.integer('The number of the guest.'), ...jobOutput },
    run: async (client, input, context) => {
      const kind: Kind = /vzdump-lxc-|backup\/ct\//.test(input.archive) ? 'lxc' : 'qemu';
      const source =
        kind === 'lxc' ? { ostemplate: input.archive, restore: true } : { archive: input.archive };
      const { vmid, storage, force, unique, start } = input;
      const fields = { vmid, ...source, storage, force, unique, start };
      const path = `/nodes/${encodeURIComponent(input.node)}/${kind}`;
      return { vmid, ...(await runJob(client, context, { path, fields }, input)) };
    },
    example: {
      node: 'pve1',
      vmid: 110,
      archive: 'backups:backup/vzdump-qemu-100-2026_01_31-08_00_00.vma.zst',
    },
  }),
];

const upid = need.text('The id of the task, such as `{{ outputs.start.upid }}`.');
const jobDetails = {
  ...jobOutput,
  node: out.text('The node.'),
  type: out.text('The kind of the task, such as `qmstart`.'),
  user: out.text('The user who started it.'),
  startTime: out.text('When it started.'),
};
const exampleUpid = 'UPID:pve1:0001C8F5:02A1B2C3:65BA0000:qmstart:100:flows@pve!millrace:';

const jobs = [
  proxmox.task({
    type: 'task.GetTaskStatus',
    title: 'Get the state of a task of Proxmox VE',
    description: 'Reads the state of a task once.',
    properties: { upid },
    output: jobDetails,
    run: async (client, input) => {
      const found = mapIn(await dataOf(client, `${statusPath(input.upid)}/status`));
      return dropMissing({
        upid: input.upid,
        status: textOf(found.status),
        exitStatus: textOf(found.exitstatus),
        node: textOf(found.node),
        type: textOf(found.type),
        user: textOf(found.user),
        startTime:
          Number(found.starttime) > 0 ? new Date(Number(found.starttime) * 1000).toISOString() : undefined,
      });
    },
    example: { upid: exampleUpid },
  }),
  proxmox.task({
    type: 'task.WaitForTask',
    title: 'Wait for a task of Proxmox VE',
    description:
      'Waits until a task has ended. A task that fails makes this task fail, with the end of its log.',
    properties: {
      upid,
      pollFrequency: jobWaiting.pollFrequency,
      maxDuration: jobWaiting.maxDuration,
    },
    output: jobOutput,
    run: (client, input, context) => waitForJob(client, context, input.upid, { ...input, wait: true }),
    example: { upid: exampleUpid },
  }),
];

const lists = [
  proxmox.task({
    type: 'cluster.GetNodeStatus',
    title: 'Get the state of a node of Proxmox VE',
    description: 'Reads load, memory and version of a node.',
    properties: { node },
    request: 'GET /nodes/{node}/status',
    output: {
      cpu: out.decimal('The load of the processor, from 0 to 1.', 'data.cpu'),
      memoryUsed: out.integer('The used memory in bytes.', 'data.memory.used'),
      memoryTotal: out.integer('The memory in bytes.', 'data.memory.total'),
      uptime: out.integer('How long it runs, in seconds.', 'data.uptime'),
      pveVersion: out.text('The version of Proxmox VE.', 'data.pveversion'),
      nodeStatus: out.map('Everything that the service returns.', 'data'),
    },
    example: { node: 'pve1' },
  }),
  proxmox.task({
    type: 'cluster.ListPools',
    title: 'List the pools of Proxmox VE',
    description: 'Lists the resource pools.',
    request: 'GET /pools',
    rows: { at: 'data' },
    example: {},
  }),
  proxmox.task({
    type: 'cluster.ListResources',
    title: 'List the resources of a Proxmox VE cluster',
    description: 'Lists guests, storages, nodes and networks of the cluster.',
    properties: {
      resourceType: may.choice(['VM', 'STORAGE', 'NODE', 'SDN'], 'Only resources of this kind.'),
    },
    request: 'GET /cluster/resources',
    query: ({ resourceType }) => ({ type: resourceType?.toLowerCase() }),
    rows: { at: 'data' },
    example: { resourceType: 'NODE' },
  }),
  proxmox.task({
    type: 'network.ListNetworks',
    title: 'List the networks of a node of Proxmox VE',
    description: 'Lists network cards, bridges and bonds of a node.',
    properties: { node, networkType: may.text('Only networks of this kind, such as `bridge` or `eth`.') },
    request: 'GET /nodes/{node}/network',
    query: { type: 'networkType' },
    rows: { at: 'data' },
    example: { node: 'pve1', networkType: 'bridge' },
  }),
  proxmox.task({
    type: 'network.GetFirewallRules',
    title: 'Get firewall rules of Proxmox VE',
    description: 'Reads the rules of a guest, of a node, or of the cluster when neither is given.',
    properties: {
      vmid: may.integer('The guest.'),
      node: may.text('The node, or the node of the guest; looked up for a guest when absent.'),
    },
    output: { rules: out.maps('The rules in their order.'), count: out.integer('How many there are.') },
    run: async (client, { vmid, node: place }) => {
      const scope =
        vmid !== undefined
          ? (await findGuest(client, { vmid, node: place })).path
          : place === undefined
            ? '/cluster'
            : `/nodes/${encodeURIComponent(place)}`;
      const rules = await dataOf(client, `${scope}/firewall/rules`);
      const rows = Array.isArray(rules) ? rules : [];
      return { rules: rows, count: rows.length };
    },
    example: { node: 'pve1' },
  }),
  proxmox.task({
    type: 'template.List',
    title: 'List the templates of virtual machines of Proxmox VE',
    description: 'Lists the virtual machines that are templates.',
    request: 'GET /cluster/resources?type=vm',
    rows: { at: (response) => guestRows('qemu')(response).filter(({ template }) => Number(template) === 1) },
    example: {},
  }),
  proxmox.task({
    type: 'template.Create',
    title: 'Make a template of a virtual machine of Proxmox VE',
    description:
      'Turns a virtual machine that is stopped into a template. It cannot run any more, only be cloned.',
    properties: { ...guest, ...jobWaiting },
    output: { ...guestOutput, ...jobOutput },
    run: async (client, input, context) => {
      const { node: place, path } = await findGuest(client, { ...input, kind: 'qemu' });
      const done = await runJob(client, context, { path: `${path}/template` }, input);
      return { vmid: input.vmid, node: place, ...done };
    },
    example: { vmid: 100 },
  }),
];

export const clusterTasks = [...snapshots, ...backups, ...jobs, ...lists];

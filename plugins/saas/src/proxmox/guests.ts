import { type JsonMap, mapIn, mapsIn, textOf } from '@millrace/plugin-kit';
import type { RestClient } from '../rest/client.ts';
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
  toFields,
  vmidProperty,
} from './service.ts';

const config = may.map('Further settings, by the names of the API of Proxmox VE, such as `onboot: 1`.');
const guestOutput = { vmid: out.integer('The number of the guest.'), node: out.text('The node.') };
const place = { vmid: vmidProperty, node: nodeProperty };

/** The number of a new guest: the given one, or the next free one. */
const newId = async (client: RestClient, vmid: number | undefined): Promise<number> =>
  vmid ?? Number(await dataOf(client, '/cluster/nextid'));

/** The tasks that virtual machines and containers share. */
function guestTypes(type: 'vm' | 'container', kind: Kind, singular: string, plural: string) {
  const isVm = kind === 'qemu';

  const action = (name: string, verb: string, description: string, command: string) =>
    proxmox.task({
      type: `${type}.${name}`,
      title: `${verb} a ${singular} of Proxmox VE`,
      description,
      properties: { ...place, ...jobWaiting },
      output: { ...guestOutput, ...jobOutput },
      run: async (client, input, context) => {
        const { node, path } = await findGuest(client, { ...input, kind });
        const done = await runJob(client, context, { path: `${path}/status/${command}` }, input);
        return { vmid: input.vmid, node, ...done };
      },
      example: { vmid: 100 },
    });

  return [
    action('Start', 'Start', `Starts a ${singular} and waits until it runs.`, 'start'),
    action('Reboot', 'Reboot', `Shuts a ${singular} down and starts it again.`, 'reboot'),
    proxmox.task({
      type: `${type}.Stop`,
      title: `Stop a ${singular} of Proxmox VE`,
      description: `Shuts a ${singular} down and waits until it is off. With \`force\` it is switched off at once.`,
      properties: {
        ...place,
        force: preset.flag(false, 'Switch it off at once, without a shutdown.'),
        timeoutSeconds: may.integer('How long the shutdown may take; it is switched off afterwards.'),
        ...jobWaiting,
      },
      output: { ...guestOutput, ...jobOutput },
      run: async (client, input, context) => {
        const { node, path } = await findGuest(client, { ...input, kind });
        const { force, timeoutSeconds } = input;
        const fields =
          force || timeoutSeconds === undefined ? {} : { timeout: timeoutSeconds, forceStop: true };
        const request = { path: `${path}/status/${force ? 'stop' : 'shutdown'}`, fields };
        return { vmid: input.vmid, node, ...(await runJob(client, context, request, input)) };
      },
      example: { vmid: 100, timeoutSeconds: 60 },
    }),
    proxmox.task({
      type: `${type}.Delete`,
      title: `Delete a ${singular} of Proxmox VE`,
      description: `Deletes a ${singular}, which must be stopped, with its disks.`,
      properties: {
        ...place,
        purge: preset.flag(false, 'Remove it from backup, replication and high availability jobs too.'),
        destroyUnreferencedDisks: preset.flag(false, 'Delete disks that belong to it but are not attached.'),
        ...jobWaiting,
      },
      output: { ...guestOutput, ...jobOutput },
      run: async (client, input, context) => {
        const { node, path } = await findGuest(client, { ...input, kind });
        const fields = {
          purge: input.purge,
          'destroy-unreferenced-disks': input.destroyUnreferencedDisks,
        };
        const done = await runJob(client, context, { method: 'DELETE', path, fields }, input);
        return { vmid: input.vmid, node, ...done };
      },
      example: { vmid: 100, purge: true },
    }),
    proxmox.task({
      type: `${type}.Clone`,
      title: `Clone a ${singular} of Proxmox VE`,
      description: `Copies a ${singular} or a template to a new number.`,
      properties: {
        ...place,
        newId: may.integer('The number of the copy; the next free one when absent.'),
        name: may.text('The name of the copy.'),
        target: may.text('The node of the copy, when the disks are on shared storage.'),
        storage: may.text('The storage of a full copy.'),
        full: may.flag('Copy all disks; a copy of a template is linked to it when false.'),
        snapshotName: may.text('The snapshot to copy; the current state when absent.'),
        pool: may.text('The pool of the copy.'),
        description: may.text('The description of the copy.'),
        ...jobWaiting,
      },
      output: { newId: out.integer('The number of the copy.'), ...guestOutput, ...jobOutput },
      run: async (client, input, context) => {
        const { node, path } = await findGuest(client, { ...input, kind });
        const copy = await newId(client, input.newId);
        const fields = {
          newid: copy,
          [isVm ? 'name' : 'hostname']: input.name,
          target: input.target,
          storage: input.storage,
          full: input.full,
          snapname: input.snapshotName,
          pool: input.pool,
          description: input.description,
        };
        const done = await runJob(client, context, { path: `${path}/clone`, fields }, input);
        return { newId: copy, vmid: input.vmid, node, ...done };
      },
      example: { vmid: 9000, name: 'worker-1', full: true },
    }),
    proxmox.task({
      type: `${type}.Migrate`,
      title: `Move a ${singular} of Proxmox VE to another node`,
      description: isVm
        ? 'Moves a virtual machine. A running one is moved without a stop with `online`.'
        : 'Moves a container. A running one is stopped, moved and started again with `restart`.',
      properties: {
        ...place,
        target: need.text('The node to move it to.'),
        ...(isVm
          ? {
              online: preset.flag(true, 'Move it while it runs.'),
              withLocalDisks: preset.flag(false, 'Copy disks that are not on shared storage.'),
            }
          : { restart: preset.flag(true, 'Stop it, move it and start it again.') }),
        targetStorage: may.text('The storage on the target node.'),
        ...jobWaiting,
      },
      output: { ...guestOutput, ...jobOutput },
      run: async (client, input, context) => {
        const { path } = await findGuest(client, { ...input, kind });
        const given: JsonMap = input;
        const fields = isVm
          ? {
              target: input.target,
              online: given.online,
              'with-local-disks': given.withLocalDisks,
              targetstorage: input.targetStorage,
            }
          : { target: input.target, restart: given.restart, 'target-storage': input.targetStorage };
        const done = await runJob(client, context, { path: `${path}/migrate`, fields }, input);
        return { vmid: input.vmid, node: input.target, ...done };
      },
      example: { vmid: 100, target: 'pve2' },
    }),
    proxmox.task({
      type: `${type}.Update`,
      title: `Change the settings of a ${singular} of Proxmox VE`,
      description: 'Changes the given settings and leaves the others. Some take effect with the next start.',
      properties: {
        ...place,
        name: may.text('The name.'),
        memory: may.integer('The memory in MiB.'),
        cores: may.integer('The number of cores.'),
        description: may.text('The description.'),
        tags: may.texts('The tags.'),
        config,
        delete: may.texts('The settings to remove.'),
      },
      output: guestOutput,
      run: async (client, input) => {
        const { node, path } = await findGuest(client, { ...input, kind });
        const form = toFields({
          [isVm ? 'name' : 'hostname']: input.name,
          memory: input.memory,
          cores: input.cores,
          description: input.description,
          tags: input.tags?.join(';'),
          ...input.config,
          delete: input.delete,
        });
        await client.send({ method: 'PUT', path: `${path}/config`, form });
        return { vmid: input.vmid, node };
      },
      example: { vmid: 100, memory: 4096, cores: 4 },
    }),
    proxmox.task({
      type: `${type}.List`,
      title: `List the ${plural} of Proxmox VE`,
      description: `Lists the ${plural} of the cluster with their states, templates included.`,
      request: 'GET /cluster/resources?type=vm',
      rows: { at: guestRows(kind) },
      example: {},
    }),
  ];
}

const createVm = proxmox.task({
  type: 'vm.Create',
  title: 'Create a virtual machine in Proxmox VE',
  description: 'Creates a virtual machine and, if wanted, starts it.',
  properties: {
    node: need.text('The node.'),
    vmid: may.integer('The number; the next free one when absent.'),
    name: may.text('The name.'),
    memory: preset.integer(2048, 'The memory in MiB.'),
    cores: preset.integer(1, 'The number of cores of a socket.'),
    sockets: preset.integer(1, 'The number of sockets.'),
    osType: preset.text('l26', 'The kind of the system: `l26` for Linux, `win11` and so on.'),
    disk: may.text('The first disk, such as `local-lvm:32` for 32 GiB.'),
    iso: may.text('The image of the CD drive, such as `local:iso/debian.iso`.'),
    network: may.text('The first network card, such as `virtio,bridge=vmbr0`.'),
    pool: may.text('The pool.'),
    start: preset.flag(false, 'Start it afterwards.'),
    config,
    ...jobWaiting,
  },
  output: { ...guestOutput, ...jobOutput },
  run: async (client, input, context) => {
    const vmid = await newId(client, input.vmid);
    const fields = {
      vmid,
      name: input.name,
      memory: input.memory,
      cores: input.cores,
      sockets: input.sockets,
      ostype: input.osType,
      scsihw: input.disk === undefined ? undefined : 'virtio-scsi-pci',
      scsi0: input.disk,
      ide2: input.iso === undefined ? undefined : `${input.iso},media=cdrom`,
      net0: input.network,
      pool: input.pool,
      start: input.start,
      ...input.config,
    };
    const path = `/nodes/${encodeURIComponent(input.node)}/qemu`;
    return { vmid, node: input.node, ...(await runJob(client, context, { path, fields }, input)) };
  },
  example: {
    node: 'pve1',
    name: 'worker-1',
    disk: 'local-lvm:32',
    network: 'virtio,bridge=vmbr0',
    start: true,
  },
});

const createContainer = proxmox.task({
  type: 'container.Create',
  title: 'Create a container in Proxmox VE',
  description: 'Creates a container from a template and, if wanted, starts it.',
  properties: {
    node: need.text('The node.'),
    vmid: may.integer('The number; the next free one when absent.'),
    osTemplate: need.text('The template, such as `local:vztmpl/debian-12-standard_12.7-1_amd64.tar.zst`.'),
    hostname: may.text('The host name.'),
    memory: preset.integer(512, 'The memory in MiB.'),
    swap: preset.integer(512, 'The swap space in MiB.'),
    cores: may.integer('The number of cores; all of the node when absent.'),
    rootfs: may.text('The disk, such as `local-lvm:8` for 8 GiB.'),
    network: may.text('The first network card, such as `name=eth0,bridge=vmbr0,ip=dhcp`.'),
    password: may.secret('The password of root.'),
    sshPublicKeys: may.text('The SSH keys of root, one a line.'),
    unprivileged: preset.flag(true, 'Run it as an unprivileged user.'),
    pool: may.text('The pool.'),
    start: preset.flag(false, 'Start it afterwards.'),
    config,
    ...jobWaiting,
  },
  output: { ...guestOutput, ...jobOutput },
  run: async (client, input, context) => {
    const vmid = await newId(client, input.vmid);
    const fields = {
      vmid,
      ostemplate: input.osTemplate,
      hostname: input.hostname,
      memory: input.memory,
      swap: input.swap,
      cores: input.cores,
      rootfs: input.rootfs,
      net0: input.network,
      password: input.password,
      'ssh-public-keys': input.sshPublicKeys,
      unprivileged: input.unprivileged,
      pool: input.pool,
      start: input.start,
      ...input.config,
    };
    const path = `/nodes/${encodeURIComponent(input.node)}/lxc`;
    return { vmid, node: input.node, ...(await runJob(client, context, { path, fields }, input)) };
  },
  example: {
    node: 'pve1',
    osTemplate: 'local:vztmpl/debian-12-standard_12.7-1_amd64.tar.zst',
    hostname: 'worker-1',
    rootfs: 'local-lvm:8',
  },
});

const reset = proxmox.task({
  type: 'vm.Reset',
  title: 'Reset a virtual machine of Proxmox VE',
  description: 'Restarts a virtual machine at once, as its reset button does.',
  properties: { ...place, ...jobWaiting },
  output: { ...guestOutput, ...jobOutput },
  run: async (client, input, context) => {
    const { node, path } = await findGuest(client, { ...input, kind: 'qemu' });
    const done = await runJob(client, context, { path: `${path}/status/reset` }, input);
    return { vmid: input.vmid, node, ...done };
  },
  example: { vmid: 100 },
});

const trigger = proxmox.trigger({
  type: 'vm.Trigger',
  title: 'Start when virtual machines of Proxmox VE change their state',
  description:
    'Reads the states of virtual machines every `interval` and starts one execution for all that changed since the last poll. The first poll only remembers the states.',
  interval: 'PT1M',
  properties: {
    vmid: may.integer('Only this virtual machine.'),
    node: may.text('Only those of this node.'),
    status: may.choice(['RUNNING', 'STOPPED', 'PAUSED'], 'Only changes to this state.'),
  },
  output: {
    vms: out.maps('The changed ones: `vmid`, `name`, `node`, `status` and `previousStatus`.'),
    count: out.integer('How many changed.'),
  },
  poll: async (client, input, context) => {
    const found = mapsIn(await dataOf(client, '/cluster/resources', { type: 'vm' })).filter(
      ({ type, vmid, node }) =>
        type === 'qemu' &&
        (input.vmid === undefined || Number(vmid) === input.vmid) &&
        (input.node === undefined || node === input.node),
    );
    const before = context.memory === undefined ? undefined : mapIn(context.memory);
    context.remember(Object.fromEntries(found.map(({ vmid, status }) => [String(vmid), textOf(status)])));
    if (before === undefined) return undefined;
    const vms = found
      .map(({ vmid, name, node, status }) => ({
        vmid,
        name,
        node,
        status,
        previousStatus: before[String(vmid)],
      }))
      .filter(({ status, previousStatus }) => status !== previousStatus)
      .filter(({ status }) => input.status === undefined || status === input.status.toLowerCase());
    return vms.length === 0 ? undefined : { vms, count: vms.length };
  },
  example: { status: 'STOPPED', interval: 'PT1M' },
});

export const guestTasks = [
  ...guestTypes('vm', 'qemu', 'virtual machine', 'virtual machines'),
  createVm,
  reset,
  trigger,
  ...guestTypes('container', 'lxc', 'container', 'containers'),
  createContainer,
];

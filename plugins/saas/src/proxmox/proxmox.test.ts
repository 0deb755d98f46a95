import { runType } from '@millrace/plugin-kit/testing';
import { describe, expect, test } from 'vitest';
import {
  aServiceContext,
  type Case,
  checkExchanges,
  type Exchange,
  exampleOf,
  expectExchanges,
  startServices,
  testCalls,
} from '../testing/exchange.ts';
import { clusterTasks } from './cluster.ts';
import { guestTasks } from './guests.ts';

startServices();

const [api, fast] = ['https://pve.example.com:8006/api2/json', { pollFrequency: 'PT0.01S' }];
const upid = 'UPID:pve1:0001C8F5:02A1B2C3:65BA0000:qmstart:100:flows@pve!millrace:';
const job = `${api}/nodes/pve1/tasks/${encodeURIComponent(upid)}`;
const resources = [
  { type: 'node', node: 'pve1' },
  { type: 'qemu', vmid: 100, node: 'pve1', status: 'running', name: 'shop' },
  { type: 'lxc', vmid: 200, node: 'pve2', status: 'stopped', name: 'mail' },
  { type: 'qemu', vmid: 9000, node: 'pve1', status: 'stopped', template: 1 },
];
const lookup: Exchange = { asks: `GET ${api}/cluster/resources?type=vm`, replies: { data: resources } };
const done: Exchange = {
  asks: `GET ${job}/status`,
  replies: { data: { status: 'stopped', exitstatus: 'OK' } },
};
const ended = { upid, status: 'stopped', exitStatus: 'OK' };

/** A request that starts a task, after the guest was looked up. */
const act = (method: string, path: string, sends?: object): Exchange[] => [
  lookup,
  { asks: `${method} ${api}${path}`, ...(sends && { sends }), replies: { data: upid } },
  done,
];

/** The cases that virtual machines and containers share. */
function common(type: string, path: string, vmid: number, node: string): Case[] {
  const isVm = type === 'vm';
  const place = { vmid, ...fast };
  const gives = { vmid, node, ...ended };
  const called = { [isVm ? 'name' : 'hostname']: 'worker-1' };
  return [
    { type: `proxmox.${type}.Start`, with: place, exchanges: act('POST', `${path}/status/start`), gives },
    { type: `proxmox.${type}.Reboot`, with: place, exchanges: act('POST', `${path}/status/reboot`), gives },
    {
      type: `proxmox.${type}.Stop`,
      with: place,
      exchanges: act('POST', `${path}/status/shutdown`, { timeout: '60', forceStop: '1' }),
      gives,
    },
    {
      type: `proxmox.${type}.Stop`,
      when: 'at once',
      with: { ...place, force: true },
      exchanges: act('POST', `${path}/status/stop`),
      gives,
    },
    {
      type: `proxmox.${type}.Delete`,
      with: place,
      exchanges: act('DELETE', `${path}?purge=1&destroy-unreferenced-disks=0`),
      gives,
    },
    {
      type: `proxmox.${type}.Clone`,
      with: place,
      exchanges: [
        lookup,
        { asks: `GET ${api}/cluster/nextid`, replies: { data: '101' } },
        {
          asks: `POST ${api}${path}/clone`,
          sends: { newid: '101', ...called, full: '1' },
          replies: { data: upid },
        },
        done,
      ],
      gives: { newId: 101, ...gives },
    },
    {
      type: `proxmox.${type}.Migrate`,
      with: { ...place, target: 'pve3' },
      exchanges: act(
        'POST',
        `${path}/migrate`,
        isVm ? { target: 'pve3', online: '1', 'with-local-disks': '0' } : { target: 'pve3', restart: '1' },
      ),
      gives: { ...gives, node: 'pve3' },
    },
    {
      type: `proxmox.${type}.Update`,
      with: { vmid, tags: ['a', 'b'], config: { onboot: 1 }, delete: ['net1', 'net2'] },
      exchanges: [
        lookup,
        {
          asks: `PUT ${api}${path}/config`,
          sends: { memory: '4096', cores: '4', tags: 'a;b', onboot: '1', delete: 'net1,net2' },
          replies: { data: null },
        },
      ],
      gives: { vmid, node },
    },
    {
      type: `proxmox.${type}.List`,
      exchanges: [lookup],
      gives: isVm ? { rows: [resources[1], resources[3]], size: 2 } : { rows: [resources[2]], size: 1 },
    },
  ];
}

const [vm, container] = ['/nodes/pve1/qemu/100', '/nodes/pve2/lxc/200'];
const gives = { vmid: 100, node: 'pve1', ...ended };
const rows = [{ id: 'a' }];

testCalls([...guestTasks, ...clusterTasks], {
  headers: { authorization: 'PVEAPIToken=flows@pve!millrace=PROXMOX_TOKEN' },
  cases: [
    ...common('vm', vm, 100, 'pve1'),
    ...common('container', container, 200, 'pve2'),
    { type: 'proxmox.vm.Reset', with: fast, exchanges: act('POST', `${vm}/status/reset`), gives },
    {
      type: 'proxmox.vm.Create',
      with: { vmid: 100, iso: 'local:iso/d.iso', ...fast },
      exchanges: [
        {
          asks: `POST ${api}/nodes/pve1/qemu`,
          sends: {
            vmid: '100',
            name: 'worker-1',
            memory: '2048',
            cores: '1',
            sockets: '1',
            ostype: 'l26',
            scsihw: 'virtio-scsi-pci',
            scsi0: 'local-lvm:32',
            ide2: 'local:iso/d.iso,media=cdrom',
            net0: 'virtio,bridge=vmbr0',
            start: '1',
          },
          replies: { data: upid },
        },
        done,
      ],
      gives,
    },
    {
      type: 'proxmox.container.Create',
      with: { vmid: 200, password: 'pw', wait: false },
      exchanges: [
        {
          asks: `POST ${api}/nodes/pve1/lxc`,
          sends: {
            vmid: '200',
            ostemplate: 'local:vztmpl/debian-12-standard_12.7-1_amd64.tar.zst',
            hostname: 'worker-1',
            memory: '512',
            swap: '512',
            rootfs: 'local-lvm:8',
            password: 'pw',
            unprivileged: '1',
            start: '0',
          },
          replies: { data: upid },
        },
      ],
      gives: { vmid: 200, node: 'pve1', upid, status: 'running' },
    },
    {
      type: 'proxmox.snapshot.Create',
      with: fast,
      exchanges: act('POST', `${vm}/snapshot`, { snapname: 'before_update', vmstate: '0' }),
      gives,
    },
    {
      type: 'proxmox.snapshot.Delete',
      with: fast,
      exchanges: act('DELETE', `${vm}/snapshot/before_update?force=0`),
      gives,
    },
    {
      type: 'proxmox.snapshot.List',
      exchanges: [
        lookup,
        { asks: `GET ${api}${vm}/snapshot`, replies: { data: [{ name: 'a' }, { name: 'current' }] } },
      ],
      gives: { snapshots: [{ name: 'a' }], count: 1 },
    },
    {
      type: 'proxmox.snapshot.Rollback',
      with: fast,
      exchanges: act('POST', `${vm}/snapshot/before_update/rollback`, { start: '0' }),
      gives,
    },
    {
      type: 'proxmox.backup.Create',
      with: fast,
      exchanges: [
        {
          asks: `POST ${api}/nodes/pve1/vzdump`,
          sends: { vmid: '100,101', storage: 'backups', mode: 'snapshot', compress: 'zstd' },
          replies: { data: upid },
        },
        { ...done, replies: { data: { status: 'running' } } },
        done,
      ],
      gives: ended,
    },
    {
      type: 'proxmox.backup.List',
      with: { vmid: 100 },
      exchanges: [
        {
          asks: `GET ${api}/nodes/pve1/storage/backups/content?content=backup&vmid=100`,
          replies: { data: rows },
        },
      ],
      gives: { rows, size: 1 },
    },
    {
      type: 'proxmox.backup.Restore',
      with: fast,
      exchanges: [
        {
          asks: `POST ${api}/nodes/pve1/qemu`,
          sends: {
            vmid: '110',
            archive: 'backups:backup/vzdump-qemu-100-2026_01_31-08_00_00.vma.zst',
            force: '0',
            unique: '0',
            start: '0',
          },
          replies: { data: upid },
        },
        done,
      ],
      gives: { vmid: 110, ...ended },
    },
    {
      type: 'proxmox.backup.Restore',
      when: 'of a container',
      with: { archive: 'pbs:backup/ct/200/2026', wait: false },
      exchanges: [
        {
          asks: `POST ${api}/nodes/pve1/lxc`,
          sends: {
            vmid: '110',
            ostemplate: 'pbs:backup/ct/200/2026',
            restore: '1',
            force: '0',
            unique: '0',
            start: '0',
          },
          replies: { data: upid },
        },
      ],
      gives: { vmid: 110, upid, status: 'running' },
    },
    {
      type: 'proxmox.task.GetTaskStatus',
      exchanges: [
        {
          asks: `GET ${job}/status`,
          replies: {
            data: { status: 'running', node: 'pve1', type: 'qmstart', user: 'a', starttime: 1_770_000_000 },
          },
        },
      ],
      gives: {
        upid,
        status: 'running',
        node: 'pve1',
        type: 'qmstart',
        user: 'a',
        startTime: '2026-02-02T02:40:00.000Z',
      },
    },
    { type: 'proxmox.task.WaitForTask', exchanges: [done], gives: ended },
    {
      type: 'proxmox.task.WaitForTask',
      when: 'that fails',
      exchanges: [
        { asks: `GET ${job}/status`, replies: { data: { status: 'stopped', exitstatus: 'no space' } } },
        { asks: `GET ${job}/log?limit=500`, replies: { data: [{ n: 1, t: 'disk full' }] } },
      ],
      fails: 'The task of Proxmox VE failed: no space\ndisk full',
    },
    {
      type: 'proxmox.cluster.GetNodeStatus',
      exchanges: [
        {
          asks: `GET ${api}/nodes/pve1/status`,
          replies: { data: { cpu: 0.25, memory: { used: 1, total: 2 }, uptime: 3, pveversion: 'pve/8' } },
        },
      ],
      gives: {
        cpu: 0.25,
        memoryUsed: 1,
        memoryTotal: 2,
        uptime: 3,
        pveVersion: 'pve/8',
        nodeStatus: { cpu: 0.25, memory: { used: 1, total: 2 }, uptime: 3, pveversion: 'pve/8' },
      },
    },
    {
      type: 'proxmox.network.ListNetworks',
      exchanges: [{ asks: `GET ${api}/nodes/pve1/network?type=bridge`, replies: { data: rows } }],
      gives: { rows, size: 1 },
    },
    ...[
      ['ListPools', '/pools'],
      ['ListResources', '/cluster/resources?type=node'],
    ].map(([type, path]) => ({
      type: `proxmox.cluster.${type}`,
      exchanges: [{ asks: `GET ${api}${path}`, replies: { data: rows } }],
      gives: { rows, size: 1 },
    })),
    {
      type: 'proxmox.network.GetFirewallRules',
      exchanges: [{ asks: `GET ${api}/nodes/pve1/firewall/rules`, replies: { data: rows } }],
      gives: { rules: rows, count: 1 },
    },
    {
      type: 'proxmox.network.GetFirewallRules',
      when: 'of a guest',
      with: { vmid: 200, node: undefined },
      exchanges: [lookup, { asks: `GET ${api}${container}/firewall/rules`, replies: { data: [] } }],
      gives: { rules: [], count: 0 },
    },
    { type: 'proxmox.template.List', exchanges: [lookup], gives: { rows: [resources[3]], size: 1 } },
    { type: 'proxmox.template.Create', with: fast, exchanges: act('POST', `${vm}/template`), gives },
  ],
});

const find = () => {
  const start = guestTasks.find(({ type }) => type === 'proxmox.vm.Start');
  if (start?.kind !== 'task') throw new Error('no task');
  return start;
};

describe('a user', () => {
  test('logs in with a ticket, and changes carry the token against forged requests', async () => {
    const exchanges: Exchange[] = [
      {
        asks: `POST ${api}/access/ticket`,
        sends: { username: 'ada@pam', password: 'pw' },
        replies: { data: { ticket: 'PVE:ada@pam:1::x+y', CSRFPreventionToken: 'csrf' } },
      },
      ...act('POST', `${vm}/status/start`).map((one) => ({
        ...one,
        headers: {
          cookie: `PVEAuthCookie=${encodeURIComponent('PVE:ada@pam:1::x+y')}`,
          csrfpreventiontoken: 'csrf',
        },
      })),
    ];
    const { received } = expectExchanges(exchanges);
    const login = { url: 'pve.example.com:8006', username: 'ada', password: 'pw' };
    expect(await runType(find(), { ...login, vmid: 100 }, aServiceContext())).toEqual(gives);
    checkExchanges(received, exchanges);
  });

  test('without credentials gets a message that names them', async () => {
    const run = runType(find(), { url: 'pve.example.com', vmid: 1 }, aServiceContext());
    await expect(run).rejects.toThrow('Give "tokenId" and "tokenSecret", or "username" and "password".');
  });
});

test('a task that is killed stops the task of Proxmox VE', async () => {
  const context = aServiceContext();
  const exchanges = [
    ...act('POST', `${vm}/status/start`).slice(0, 2),
    { ...done, replies: { data: { status: 'running' } } },
  ];
  const { received } = expectExchanges([...exchanges, { asks: '' }]);
  const run = runType(find(), { ...exampleOf(find()), pollFrequency: 'PT1M' }, context);
  run.catch(() => {});
  await expect.poll(() => received.length).toBe(3);
  context.kill();
  await expect(run).rejects.toThrow();
  expect(received[3]?.asks).toBe(`DELETE ${job}`);
});

test('vm.Trigger starts an execution for a machine that stopped', async () => {
  const trigger = guestTasks.find(({ type }) => type === 'proxmox.vm.Trigger');
  if (trigger?.kind !== 'trigger' || !trigger.poll) throw new Error('no trigger');
  const later = [{ ...resources[1], status: 'stopped' }];
  expectExchanges([lookup, lookup, { ...lookup, replies: { data: later } }]);
  const context = aServiceContext();
  const input = trigger.input.parse(exampleOf(trigger));
  expect(await trigger.poll(context, input)).toBeUndefined();
  expect(await trigger.poll(context, input)).toBeUndefined();
  expect(await trigger.poll(context, input)).toEqual({
    vms: [{ vmid: 100, name: 'shop', node: 'pve1', status: 'stopped', previousStatus: 'running' }],
    count: 1,
  });
});

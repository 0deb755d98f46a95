import type { TaskDefinition, TriggerDefinition } from '@millrace/plugin-kit';
import { aTaskContext, runType } from '@millrace/plugin-kit/testing';
import { expect, test } from 'vitest';
import { kvmTypes } from './kvm.ts';

/** A libvirt daemon with machines by name, behind the arguments of virsh. */
function aHost(states: Record<string, string>) {
  const calls: string[] = [];
  const reply = (action: string | undefined, rest: readonly string[]): string | undefined => {
    const name = rest.find((each) => each in states) ?? '';
    if (action === 'list') return Object.keys(states).join('\n');
    if (action === 'define') {
      states.worker1 = 'shut off';
      return '';
    }
    if (!(name in states)) return undefined;
    if (action === 'domstate') return states[name] ?? '';
    if (action === 'domuuid') return `uuid-${name}`;
    if (action === 'domblklist') return ' file   disk    vda   /disks/a b.qcow2\n file   cdrom   sda   -';
    if (action === 'start') states[name] = 'running';
    if (action === 'shutdown' || action === 'destroy') states[name] = 'shut off';
    if (action === 'undefine') delete states[name];
    return '';
  };
  const context = aTaskContext({
    mayReach: async (url) => void calls.push(`may reach ${url}`),
    spawn: async ({ command, onStdout, onStderr }) => {
      const [, , , , action, ...rest] = command;
      calls.push([action, ...rest].join(' '));
      const said = reply(action, rest);
      if (said === undefined) onStderr(Buffer.from(`error: failed to get domain '${rest.at(-1)}'\n`));
      else onStdout(Buffer.from(`${said}\n\n`));
      return { exitCode: said === undefined ? 1 : 0, signal: null, droppedBytes: { stdout: 0, stderr: 0 } };
    },
  });
  const find = (type: string) => kvmTypes.find((each) => each.type === `kvm.${type}`);
  // `as`: the tests name tasks and triggers as they are.
  const run = (type: string, properties: object) =>
    runType(find(type) as TaskDefinition, { ...properties }, context);
  const poll = (properties: object) => {
    const trigger = find('VmEventTrigger') as TriggerDefinition;
    return trigger.poll?.(context, trigger.input.parse(properties));
  };
  return { calls, run, poll, states };
}

test('machines are created, listed, started, stopped, changed and deleted', async () => {
  const { run, calls } = aHost({ other: 'running' });
  const name = 'worker1';
  const xmlDefinition = '<domain><name>worker1</name></domain>';
  expect(await run('CreateVm', { name, xmlDefinition, startAfterCreate: true })).toEqual({
    name,
    uuid: 'uuid-worker1',
    state: 'RUNNING',
  });
  expect(await run('StopVm', { name, waitForStopped: true })).toEqual({ name, state: 'SHUT_OFF' });
  expect(await run('ListVms', { statusFilter: 'running' })).toEqual({
    vms: [{ name: 'other', uuid: 'uuid-other', state: 'RUNNING' }],
  });
  expect(await run('StartVm', { name, waitForRunning: true })).toEqual({ name, state: 'RUNNING' });
  expect(await run('UpdateVm', { xmlDefinition })).toEqual({ name, wasRestarted: false, state: 'SHUT_OFF' });
  expect(await run('DeleteVm', { name, deleteStorage: true })).toEqual({
    success: true,
    deletedVolumes: ['/disks/a b.qcow2'],
  });
  expect(calls.at(-1)).toBe(
    'undefine worker1 --managed-save --snapshots-metadata --nvram --remove-all-storage',
  );
  expect(await run('DeleteVm', { name, failIfNotFound: false })).toMatchObject({ success: false });
  await expect(run('StartVm', { name })).rejects.toThrow("virsh domstate: failed to get domain 'worker1'");
});

test('a remote host is checked by the outbound policy, and the trigger starts for a changed state', async () => {
  const { poll, calls, states } = aHost({ worker1: 'running' });
  const properties = { name: 'worker1', uri: 'qemu+ssh://robot@kvm.example.com/system' };
  expect(await poll(properties)).toBeUndefined();
  expect(calls[0]).toBe('may reach http://kvm.example.com:22');
  states.worker1 = 'shut off';
  expect(await poll(properties)).toEqual({ name: 'worker1', state: 'SHUT_OFF' });
  expect(await poll(properties)).toBeUndefined();
});

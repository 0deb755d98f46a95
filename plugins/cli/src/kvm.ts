import { setTimeout as delay } from 'node:timers/promises';
import {
  type Definition,
  defineTask,
  defineTrigger,
  duration,
  fixed,
  flag,
  type TaskContext,
  TaskFailed,
  text,
  writeInside,
} from '@millrace/plugin-kit';
import { z } from 'zod';

/*
 * Virtual machines through virsh, the program of libvirt. It runs on the worker and connects to the daemon that the URI
 * names.
 */

const uriProperty = () =>
  text()
    .default('qemu:///system')
    .describe('The libvirt daemon, such as `qemu:///system` or `qemu+ssh://user@host/system`.');
const nameProperty = () => text().describe('The name of the virtual machine.');
const vmOutput = {
  name: z.string().describe('The name.'),
  state: z.string().describe('The state, such as `RUNNING` or `SHUT_OFF`.'),
};

const maxOutputBytes = 10 * 1_048_576;
const remotePorts: Readonly<Record<string, number>> = {
  ssh: 22,
  tls: 16514,
  tcp: 16509,
  libssh: 22,
  libssh2: 22,
};

/** Runs virsh and returns its output; a failure has its message. */
async function virsh(context: TaskContext, uri: string, ...args: readonly string[]): Promise<string> {
  await checkTarget(context, uri);
  const [out, errors]: [Buffer[], Buffer[]] = [[], []];
  const end = await context
    .spawn({
      command: ['virsh', '--quiet', '--connect', uri, ...args],
      workingDirectory: await context.workingDirectory(),
      env: { LC_ALL: 'C' },
      signal: context.signal,
      maxStreamBytes: maxOutputBytes,
      onStdout: (chunk) => void out.push(Buffer.from(chunk)),
      onStderr: (chunk) => void errors.push(Buffer.from(chunk)),
    })
    .catch((error: unknown) => {
      context.signal.throwIfAborted();
      throw new TaskFailed('The program virsh cannot be started: install libvirt-clients on the worker.', {
        retry: false,
        cause: error,
      });
    });
  context.signal.throwIfAborted();
  if (end.exitCode === 0) return Buffer.concat(out).toString('utf8').trim();
  const message = Buffer.concat(errors)
    .toString('utf8')
    .trim()
    .replace(/^error: /gm, '');
  throw new TaskFailed(`virsh ${args[0]}: ${message || `exit code ${end.exitCode}`}`);
}

/** The program connects itself, so the host is checked against the outbound policy first. */
async function checkTarget(context: TaskContext, uri: string): Promise<void> {
  const [, transport = 'tls', host] = /^\w+(?:\+(\w+))?:\/\/(?:[^@/]*@)?(\[[^\]]*\]|[^:/]+)/.exec(uri) ?? [];
  if (host === undefined) return;
  const port = /:(\d+)(?:\/|$)/.exec(uri.slice(uri.indexOf(host)))?.[1] ?? remotePorts[transport] ?? 22;
  await context.mayReach(`http://${host}:${port}`);
}

const stateOf = async (context: TaskContext, uri: string, name: string): Promise<string> =>
  (await virsh(context, uri, 'domstate', name)).toUpperCase().replaceAll(' ', '_');

const isMissing = (error: unknown): boolean =>
  error instanceof TaskFailed && /failed to get domain|Domain not found/i.test(error.message);

async function waitForState(
  context: TaskContext,
  { uri, name, timeToWait }: { readonly uri: string; readonly name: string; readonly timeToWait: number },
  wanted: string,
): Promise<string> {
  for (const until = Date.now() + timeToWait; ; ) {
    const state = await stateOf(context, uri, name);
    if (state === wanted) return state;
    if (Date.now() >= until)
      throw new TaskFailed(
        `The virtual machine "${name}" is ${state} after ${timeToWait / 1000} s, not ${wanted}.`,
      );
    await delay(Math.min(1_000, Math.max(until - Date.now(), 1)), undefined, { signal: context.signal });
  }
}

const example = (type: string, title: string, lines: readonly string[]) => ({
  title,
  runs: false,
  code: `id: kvm_${type.toLowerCase()}
namespace: company.team

tasks:
  - id: vm
    type: kvm.${type}
    uri: qemu+ssh://robot@kvm.example.com/system
${lines.map((line) => `    ${line}`).join('\n')}
`,
});

async function define(context: TaskContext, uri: string, xml: string): Promise<void> {
  const folder = await context.workingDirectory();
  await writeInside(folder, 'domain.xml', xml);
  await virsh(context, uri, 'define', 'domain.xml');
}

const note = 'The program `virsh` must be on the worker.';

const createVm = defineTask({
  type: 'kvm.CreateVm',
  title: 'Create a virtual machine',
  description: `Defines a virtual machine from its XML and starts it on request. ${note}`,
  input: () =>
    z.object({
      uri: uriProperty(),
      name: nameProperty(),
      xmlDefinition: text().describe('The definition of the domain, as XML.'),
      startAfterCreate: flag().default(false).describe('Start it.'),
    }),
  output: () => z.object({ ...vmOutput, uuid: z.string().describe('The UUID.') }),
  sideEffects: true,
  examples: [
    example('CreateVm', 'Create and start a machine.', [
      'name: worker1',
      'startAfterCreate: true',
      'xmlDefinition: |',
      "  <domain type='kvm'>",
      '    <name>worker1</name>',
      "    <memory unit='GiB'>2</memory>",
      "    <os><type arch='x86_64'>hvm</type></os>",
      '  </domain>',
    ]),
  ],
  run: async (context, { uri, name, xmlDefinition, startAfterCreate }) => {
    await define(context, uri, xmlDefinition);
    if (startAfterCreate) await virsh(context, uri, 'start', name);
    const uuid = await virsh(context, uri, 'domuuid', name);
    return { name, uuid, state: await stateOf(context, uri, name) };
  },
});

const deleteVm = defineTask({
  type: 'kvm.DeleteVm',
  title: 'Delete a virtual machine',
  description: `Stops a virtual machine and removes its definition, with its volumes on request. ${note}`,
  input: () =>
    z.object({
      uri: uriProperty(),
      name: nameProperty(),
      deleteStorage: flag().default(false).describe('Delete its volumes too.'),
      failIfNotFound: flag().default(true).describe('Fail when there is no such machine.'),
    }),
  output: () =>
    z.object({
      success: z.boolean().describe('Whether a machine was deleted.'),
      deletedVolumes: z.array(z.string()).describe('The files of the deleted volumes.'),
    }),
  sideEffects: true,
  examples: [
    example('DeleteVm', 'Delete a machine with its disks.', ['name: worker1', 'deleteStorage: true']),
  ],
  run: async (context, { uri, name, deleteStorage, failIfNotFound }) => {
    try {
      if ((await stateOf(context, uri, name)) !== 'SHUT_OFF') await virsh(context, uri, 'destroy', name);
    } catch (error) {
      if (isMissing(error) && !failIfNotFound) return { success: false, deletedVolumes: [] };
      throw error;
    }
    const disks = deleteStorage ? await virsh(context, uri, 'domblklist', '--details', name) : '';
    // Columns: type, device, target, source.
    const deletedVolumes = disks.split('\n').flatMap((line) => {
      const [, device, , ...source] = line.trim().split(/\s+/);
      return device === 'disk' && source.length > 0 && source[0] !== '-' ? [source.join(' ')] : [];
    });
    const storage = deleteStorage ? ['--remove-all-storage'] : [];
    // Machines with UEFI keep variables in a file, without which libvirt refuses.
    const metadata = ['--managed-save', '--snapshots-metadata', '--nvram'];
    await virsh(context, uri, 'undefine', name, ...metadata, ...storage);
    return { success: true, deletedVolumes };
  },
});

const listVms = defineTask({
  type: 'kvm.ListVms',
  title: 'List virtual machines',
  description: `Lists the virtual machines of a host. ${note}`,
  input: () =>
    z.object({
      uri: uriProperty(),
      statusFilter: text().optional().describe('Only machines in this state, such as `RUNNING`.'),
    }),
  output: () =>
    z.object({
      vms: z
        .array(z.object({ ...vmOutput, uuid: z.string().describe('The UUID.') }))
        .describe('The machines.'),
    }),
  sideEffects: true,
  examples: [example('ListVms', 'The machines that run.', ['statusFilter: RUNNING'])],
  run: async (context, { uri, statusFilter }) => {
    const names = (await virsh(context, uri, 'list', '--all', '--name')).split('\n').filter(Boolean);
    const vms: { name: string; uuid: string; state: string }[] = [];
    for (const name of names) {
      const state = await stateOf(context, uri, name);
      if (statusFilter !== undefined && state !== statusFilter.toUpperCase().replaceAll(' ', '_')) continue;
      vms.push({ name, uuid: await virsh(context, uri, 'domuuid', name), state });
    }
    return { vms };
  },
});

const timeToWait = () => duration().prefault('PT60S').describe('How long to wait.');

const startVm = defineTask({
  type: 'kvm.StartVm',
  title: 'Start a virtual machine',
  description: `Starts a virtual machine; one that runs already stays as it is. ${note}`,
  input: () =>
    z.object({
      uri: uriProperty(),
      name: nameProperty(),
      waitForRunning: flag().default(false).describe('Wait until it runs.'),
      timeToWait: timeToWait(),
    }),
  output: () => z.object(vmOutput),
  sideEffects: true,
  examples: [example('StartVm', 'Start a machine.', ['name: worker1', 'waitForRunning: true'])],
  run: async (context, input) => {
    const { uri, name } = input;
    if ((await stateOf(context, uri, name)) !== 'RUNNING') await virsh(context, uri, 'start', name);
    const state = input.waitForRunning
      ? await waitForState(context, input, 'RUNNING')
      : await stateOf(context, uri, name);
    return { name, state };
  },
});

const stopVm = defineTask({
  type: 'kvm.StopVm',
  title: 'Stop a virtual machine',
  description: `Asks the system of a virtual machine to shut down, or switches it off with \`force\`. ${note}`,
  input: () =>
    z.object({
      uri: uriProperty(),
      name: nameProperty(),
      force: flag().default(false).describe('Switch it off at once; data may be lost.'),
      waitForStopped: flag().default(false).describe('Wait until it is off.'),
      timeToWait: timeToWait(),
    }),
  output: () => z.object(vmOutput),
  sideEffects: true,
  examples: [example('StopVm', 'Shut a machine down.', ['name: worker1', 'waitForStopped: true'])],
  run: async (context, input) => {
    const { uri, name, force } = input;
    if ((await stateOf(context, uri, name)) !== 'SHUT_OFF')
      await virsh(context, uri, force ? 'destroy' : 'shutdown', name);
    const state = input.waitForStopped
      ? await waitForState(context, input, 'SHUT_OFF')
      : await stateOf(context, uri, name);
    return { name, state };
  },
});

const updateVm = defineTask({
  type: 'kvm.UpdateVm',
  title: 'Change the definition of a virtual machine',
  description: `Replaces the definition of a virtual machine. A machine that runs uses it after its next start, or at once with \`restart\`. ${note}`,
  input: () =>
    z.object({
      uri: uriProperty(),
      name: text().optional().describe('The name; that of the definition when absent.'),
      xmlDefinition: text().optional().describe('The new definition of the domain, as XML.'),
      restart: flag().default(false).describe('Restart the machine when it runs.'),
    }),
  output: () => z.object({ ...vmOutput, wasRestarted: z.boolean().describe('Whether it was restarted.') }),
  sideEffects: true,
  examples: [
    example('UpdateVm', 'Give a machine more memory.', [
      'name: worker1',
      'restart: true',
      'xmlDefinition: |',
      "  <domain type='kvm'>",
      '    <name>worker1</name>',
      "    <memory unit='GiB'>4</memory>",
      "    <os><type arch='x86_64'>hvm</type></os>",
      '  </domain>',
    ]),
  ],
  run: async (context, { uri, xmlDefinition, restart, ...input }) => {
    const name = input.name ?? /<name>([^<]+)<\/name>/.exec(xmlDefinition ?? '')?.[1];
    if (name === undefined)
      throw new TaskFailed('"name" must be given, or a definition with a name.', { retry: false });
    if (xmlDefinition !== undefined) await define(context, uri, xmlDefinition);
    const isRunning = (await stateOf(context, uri, name)) === 'RUNNING';
    const wasRestarted = restart && isRunning;
    if (wasRestarted) {
      await virsh(context, uri, 'destroy', '--graceful', name);
      await virsh(context, uri, 'start', name);
    }
    return { name, wasRestarted, state: await stateOf(context, uri, name) };
  },
});

const vmEventTrigger = defineTrigger({
  type: 'kvm.VmEventTrigger',
  role: 'polling',
  title: 'Start when the state of a virtual machine changes',
  description: `Reads the state of a virtual machine every \`interval\` and starts an execution when it differs from the last one. The first poll only remembers. ${note}`,
  input: () =>
    z.object({
      uri: uriProperty(),
      name: nameProperty(),
      interval: fixed(duration()).prefault('PT1M').describe('The pause between two polls.'),
    }),
  output: () => z.object(vmOutput),
  examples: [
    {
      title: 'When a machine stops.',
      runs: false,
      code: `id: kvm_vmeventtrigger
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "{{ trigger.name }} is {{ trigger.state }}"

triggers:
  - id: watch
    type: kvm.VmEventTrigger
    uri: qemu+ssh://robot@kvm.example.com/system
    name: worker1
    interval: PT30S
`,
    },
  ],
  poll: async (context, { uri, name }) => {
    const state = await stateOf(context, uri, name);
    const before = context.memory;
    context.remember(state);
    return before === undefined || before === state ? undefined : { name, state };
  },
});

export const kvmTypes: readonly Definition[] = [
  createVm,
  deleteVm,
  listVms,
  startVm,
  stopVm,
  updateVm,
  vmEventTrigger,
];

import { homedir } from 'node:os';
import {
  choice,
  defineTask,
  deprecated,
  flag,
  listOf,
  mapOf,
  type TaskContext,
  TaskFailed,
  text,
  warning,
} from '@millrace/plugin-kit';
import { ScriptLog } from '@millrace/plugin-scripts';
import { z } from 'zod';
import { connectSsh, enableSshRsa1, readPort } from './sshConnection.ts';

const input = () =>
  z.object({
    host: text().describe('The server.'),
    port: text().default('22').describe('Its port.'),
    username: text().optional().describe('The user; `root` when absent.'),
    authMethod: choice(['PASSWORD', 'PUBLIC_KEY', 'OPEN_SSH'])
      .default('PASSWORD')
      .describe(
        'How to log in: with `password`, with `privateKey`, or as the OpenSSH configuration of the worker says.',
      ),
    password: text().optional().describe('The password, for PASSWORD.'),
    privateKey: text().optional().describe('The private key as PEM text, for PUBLIC_KEY.'),
    privateKeyPassphrase: text().optional().describe('The passphrase of the private key.'),
    openSSHConfigPath: text()
      .optional()
      .describe('The OpenSSH configuration file of the worker, for OPEN_SSH; `~/.ssh/config` when absent.'),
    openSSHConfigDir: deprecated(text().optional(), 'use `openSSHConfigPath`.'),
    proxyCommand: text().optional().describe('The program that opens the connection, for OPEN_SSH.'),
    strictHostKeyChecking: text()
      .default('no')
      .describe('Whether unknown host keys are refused, for OPEN_SSH; the others do not check host keys.'),
    commands: listOf(text(), { min: 1 }).describe('The commands, run in one shell on the server.'),
    env: mapOf(text()).default({}).describe('Variables that are exported before the commands.'),
    enableSshRsa1: enableSshRsa1(),
    warningOnStdErr: deprecated(
      flag().default(false),
      'a task that writes to its error stream ends in WARNING only when this is set.',
    ),
  });
type CommandInput = z.infer<ReturnType<typeof input>>;

export const sshCommand = defineTask({
  type: 'fs.ssh.Command',
  title: 'Run commands on a server over SSH',
  description: `Runs commands in one shell of the server. Their output is logged while they run; a line \`::{"outputs": {…}}::\` gives outputs, as
for script tasks. An exit code other than 0 fails the task, and killing the task closes the connection.

\`OPEN_SSH\` uses the program \`ssh\` of the worker with its keys, so an administrator must allow it:
\`plugins.configurations\` with the type \`fs.ssh.Command\` and the value \`allowOpenSshConfig: true\`.`,
  input,
  output: () =>
    z.object({
      vars: z
        .record(z.string(), z.unknown())
        .describe('What the commands printed as `::{"outputs": {…}}::`.'),
      exitCode: z.number().describe('How the commands ended.'),
    }),
  sideEffects: true,
  examples: [
    {
      title: 'Restart a service with a key.',
      runs: false,
      code: `id: restart_service
namespace: company.team

tasks:
  - id: restart
    type: fs.ssh.Command
    host: app.example.com
    username: deploy
    authMethod: PUBLIC_KEY
    privateKey: "{{ secret('SSH_KEY') }}"
    commands:
      - systemctl restart app
      - systemctl is-active app
`,
    },
  ],
  async run(context, properties) {
    for (const secret of [properties.password, properties.privateKeyPassphrase])
      if (secret) context.masker.add(secret);
    const log = new ScriptLog(context);
    const script = toScript(properties);
    const end =
      properties.authMethod === 'OPEN_SSH'
        ? await runOpenSsh(context, properties, script, log)
        : await runOverConnection(context, properties, script, log);
    await log.end();
    context.signal.throwIfAborted();
    const outputs = { vars: log.vars, exitCode: end.code ?? -1 };
    if (end.code !== 0) {
      const how = end.code === null ? `signal ${end.signal ?? 'unknown'}` : `exit code ${end.code}`;
      throw new TaskFailed(`The commands failed with ${how}.`, { outputs });
    }
    return properties.warningOnStdErr && log.hasErrors ? warning(outputs) : outputs;
  },
});

/** Servers reject variables that their configuration does not list, so the shell sets them. */
function toScript({ env, commands }: CommandInput): string {
  const exports = Object.entries(env).map(([name, value]) => {
    if (!/^[A-Za-z_]\w*$/.test(name))
      throw new TaskFailed(`"${name}" is not the name of a variable.`, { retry: false });
    return `export ${name}='${value.replaceAll("'", "'\\''")}'`;
  });
  return [...exports, ...commands].join('\n');
}

interface CommandEnd {
  readonly code: number | null;
  readonly signal?: string | null | undefined;
}

async function runOverConnection(
  context: TaskContext,
  properties: CommandInput,
  script: string,
  log: ScriptLog,
): Promise<CommandEnd> {
  const { authMethod, password, privateKey } = properties;
  if (properties.proxyCommand !== undefined)
    throw new TaskFailed('"proxyCommand" needs the "authMethod" OPEN_SSH.', { retry: false });
  if (authMethod === 'PASSWORD' && password === undefined)
    throw new TaskFailed('The "authMethod" PASSWORD needs "password".', { retry: false });
  if (authMethod === 'PUBLIC_KEY' && privateKey === undefined)
    throw new TaskFailed('The "authMethod" PUBLIC_KEY needs "privateKey".', { retry: false });
  const client = await connectSsh(context, {
    ...properties,
    privateKey: authMethod === 'PUBLIC_KEY' ? privateKey : undefined,
    passphrase: properties.privateKeyPassphrase,
  });
  const stop = () => client.destroy();
  context.signal.addEventListener('abort', stop, { once: true });
  try {
    return await new Promise<CommandEnd>((resolve, reject) => {
      client.once('close', () => reject(new TaskFailed('The server closed the connection.')));
      client.exec(script, (error, channel) => {
        if (error) return reject(error);
        let end: CommandEnd = { code: null };
        // Each stream is read one chunk after the other, so a full log slows the commands down.
        const read = async (
          stream: AsyncIterable<Uint8Array>,
          take: (chunk: Uint8Array) => Promise<void>,
        ) => {
          for await (const chunk of stream) await take(chunk);
        };
        channel.once('exit', (code: number | null, signal?: string) => {
          end = { code, signal };
        });
        // Servers may send the exit code after the end of the output.
        const closed = new Promise((done) => channel.once('close', done));
        Promise.all([read(channel, log.onStdout), read(channel.stderr, log.onStderr), closed]).then(
          () => resolve(end),
          reject,
        );
      });
    });
  } catch (error) {
    context.signal.throwIfAborted();
    throw error;
  } finally {
    context.signal.removeEventListener('abort', stop);
    client.end();
  }
}

async function runOpenSsh(
  context: TaskContext,
  properties: CommandInput,
  script: string,
  log: ScriptLog,
): Promise<CommandEnd> {
  if (context.configuration('fs.ssh.Command').allowOpenSshConfig !== true)
    throw new TaskFailed(
      'OPEN_SSH is not allowed on this server: set "allowOpenSshConfig: true" for "fs.ssh.Command" in "plugins.configurations".',
      { retry: false },
    );
  const { host, username, proxyCommand, strictHostKeyChecking } = properties;
  if (host.startsWith('-')) throw new TaskFailed(`"${host}" is not a host.`, { retry: false });
  const file = (properties.openSSHConfigPath ?? properties.openSSHConfigDir ?? '~/.ssh/config').replace(
    /^~(?=\/)/,
    homedir(),
  );
  const { exitCode, signal } = await context.spawn({
    command: [
      'ssh',
      '-F',
      file,
      '-p',
      String(readPort(properties.port)),
      '-o',
      'BatchMode=yes',
      '-o',
      `StrictHostKeyChecking=${strictHostKeyChecking}`,
      ...(proxyCommand === undefined ? [] : ['-o', `ProxyCommand=${proxyCommand}`]),
      ...(username === undefined ? [] : ['-l', username]),
      '--',
      host,
      script,
    ],
    workingDirectory: await context.workingDirectory(),
    signal: context.signal,
    graceMs: 1_000,
    onStdout: log.onStdout,
    onStderr: log.onStderr,
  });
  return { code: exitCode, signal };
}

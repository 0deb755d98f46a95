import { messageOf, type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import { dockerProperties, openEngine, provideImage, readOutput } from '@millrace/plugin-scripts';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type Docker from 'dockerode';
import { LineSplitter } from './lineSplitter.ts';

export interface McpImage {
  readonly image: string;
  readonly command?: readonly string[] | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly binds: readonly string[];
  readonly logEvents: boolean;
  readonly dockerHost?: string | undefined;
  readonly dockerConfig?: string | undefined;
  readonly registryUrl?: string | undefined;
  readonly registryUsername?: string | undefined;
  readonly registryPassword?: string | undefined;
}

const runner = 'scripts.runner.docker.Docker';

/** Starts an MCP server in a container, which is removed with the session. The rules of the Docker runner hold. */
export async function startDockerServer(context: TaskContext, server: McpImage): Promise<Transport> {
  const configuration = context.configuration(runner);
  const folder = await context.workingDirectory();
  const foreign = server.binds.find((bind) => !isInside(bind, folder));
  if (foreign !== undefined && configuration.volumeEnabled !== true)
    throw new TaskFailed(
      `This server does not allow the volume "${foreign}": "volumeEnabled" is not set for ${runner}. The working folder of the task may be mounted as {{ workingDir }}.`,
      { retry: false },
    );
  const docker = await openEngine(context, server.dockerHost);
  await provideImage(docker, server.image, pullOptions(server), context);
  return new DockerTransport(context, docker, server);
}

/** Whether the folder of a bind is the working folder of the task or below it. */
const isInside = (bind: string, folder: string): boolean => {
  const [source = ''] = bind.split(':');
  return !source.split('/').includes('..') && (source === folder || source.startsWith(`${folder}/`));
};

const pullOptions = ({ dockerConfig, registryUrl, registryUsername, registryPassword }: McpImage) =>
  dockerProperties.parse({
    ...(dockerConfig !== undefined && { config: dockerConfig }),
    ...(registryUsername !== undefined && {
      credentials: { registry: registryUrl, username: registryUsername, password: registryPassword },
    }),
  });

class DockerTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #context: TaskContext;
  readonly #docker: Docker;
  readonly #server: McpImage;
  #container: Docker.Container | undefined;
  #stream: NodeJS.ReadWriteStream | undefined;

  constructor(context: TaskContext, docker: Docker, server: McpImage) {
    this.#context = context;
    this.#docker = docker;
    this.#server = server;
  }

  async start(): Promise<void> {
    const { image, command, env, binds } = this.#server;
    const { taskRunId, executionId } = this.#context.run;
    this.#container = await this.#docker.createContainer({
      Image: image,
      ...(command && { Cmd: [...command] }),
      Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
      Labels: { 'millrace.taskRunId': taskRunId, 'millrace.executionId': executionId },
      OpenStdin: true,
      StdinOnce: true,
      AttachStdin: true,
      AttachStdout: true,
      AttachStderr: true,
      Tty: false,
      HostConfig: { Binds: [...binds], AutoRemove: true },
    });
    this.#stream = await this.#container.attach({
      stream: true,
      stdin: true,
      stdout: true,
      stderr: true,
      hijack: true,
    });
    this.#context.signal.addEventListener('abort', this.#remove, { once: true });
    await this.#container.start();
    void this.#read(this.#stream);
  }

  async #read(stream: NodeJS.ReadWriteStream): Promise<void> {
    const messages = new LineSplitter((line) => this.#receive(line));
    const events = new LineSplitter((line) => {
      if (this.#server.logEvents) void this.#context.log('INFO', line);
    });
    try {
      await readOutput(stream as AsyncIterable<Uint8Array>, {
        onStdout: (chunk) => messages.push(chunk),
        onStderr: (chunk) => events.push(chunk),
      });
    } catch (error) {
      this.onerror?.(new Error(messageOf(error)));
    }
    this.onclose?.();
  }

  #receive(line: string): void {
    if (line.trim() === '') return;
    try {
      this.onmessage?.(JSON.parse(line));
    } catch {
      // Programs print greetings; only JSON is a message.
      void this.#context.log('DEBUG', line);
    }
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#stream?.write(`${JSON.stringify(message)}\n`);
  }

  readonly #remove = (): void => void this.#container?.remove({ force: true, v: true }).catch(() => {});

  async close(): Promise<void> {
    this.#context.signal.removeEventListener('abort', this.#remove);
    this.#stream?.end();
    await this.#container?.remove({ force: true, v: true }).catch(() => {});
  }
}

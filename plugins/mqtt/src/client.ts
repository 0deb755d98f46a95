import { connect as connectTls } from 'node:tls';
import {
  choice,
  duration,
  flag,
  importModule,
  isStorageUri,
  messageOf,
  readText,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import type * as Mqtt from 'mqtt';
import type { IClientOptions, MqttClient } from 'mqtt';

export const connectionProperties = () => ({
  mqttVersion: choice(['V3', 'V5']).default('V5').describe('The version of the protocol: 3.1.1 or 5.'),
  server: text().describe('The broker, as `tcp://host:1883`, or `ssl://host:8883` with TLS.'),
  clientId: text().describe(
    'The name of this client. A broker allows one connection per name: give each task and trigger its own.',
  ),
  connectionTimeout: duration()
    .optional()
    .describe('How long to wait for the broker; 30 seconds when absent.'),
  httpsHostnameVerificationEnabled: flag()
    .optional()
    .describe('Whether the certificate must name the host; true when absent.'),
  authMethod: text().optional().describe('The authentication method of MQTT 5.'),
  username: text().optional().describe('The user.'),
  password: text().optional().describe('The password.'),
  crt: text()
    .optional()
    .describe(
      'The certificate authority that signed the certificate of the broker, as PEM text or a file in internal storage.',
    ),
});

export interface MqttInput {
  readonly mqttVersion: 'V3' | 'V5';
  readonly server: string;
  readonly clientId: string;
  readonly connectionTimeout?: number | undefined;
  readonly httpsHostnameVerificationEnabled?: boolean | undefined;
  readonly authMethod?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly crt?: string | undefined;
}

export interface SessionOptions {
  /** The broker keeps messages while the client is away. */
  readonly isDurable: boolean;
  /** How many messages may be unacknowledged (MQTT 5). */
  readonly receiveMaximum?: number;
}

export interface Session {
  readonly client: MqttClient;
  onFailure(listener: (error: Error) => void): void;
}

const defaultTimeoutMs = 30_000;
/** How long a broker keeps the session of a disconnected trigger (MQTT 5). */
const sessionSeconds = 7 * 24 * 3600;

/** Connects, runs the work, and always closes the connection. */
export async function withMqtt<T>(
  context: TaskContext,
  input: MqttInput,
  options: SessionOptions & { readonly prepare?: (client: MqttClient) => void },
  work: (session: Session) => Promise<T>,
): Promise<T> {
  if (input.password !== undefined) context.masker.add(input.password);
  const address = readAddress(input.server);
  const timeoutMs = input.connectionTimeout ?? defaultTimeoutMs;
  const { MqttClient: Client } = await importModule<typeof Mqtt>('mqtt');
  let failure: Error | undefined;
  const listeners: ((error: Error) => void)[] = [];
  const fail = (error: Error) => {
    failure ??= error;
    for (const listener of listeners.splice(0)) listener(failure);
  };
  let client: MqttClient | undefined;
  const stop = () => void client?.end(true);
  context.signal.addEventListener('abort', stop, { once: true });
  try {
    const stream = await openStream(context, address, input, timeoutMs);
    client = new Client(() => stream, clientOptions(input, options, timeoutMs));
    options.prepare?.(client);
    client.on('error', fail);
    client.on('disconnect', ({ reasonCode }) =>
      fail(new Error(`The broker ended the connection (reason ${reasonCode ?? 0}).`)),
    );
    client.on('close', () => fail(new Error('The connection was closed.')));
    await connected(client, timeoutMs);
    return await work({
      client,
      onFailure: (listener) => {
        if (failure) listener(failure);
        else listeners.push(listener);
      },
    });
  } catch (error) {
    context.signal.throwIfAborted();
    throw explain(failure ?? error, address);
  } finally {
    listeners.length = 0;
    context.signal.removeEventListener('abort', stop);
    await client?.endAsync(context.signal.aborted || failure !== undefined).catch(() => {});
  }
}

function clientOptions(
  { mqttVersion, clientId, username, password, authMethod }: MqttInput,
  { isDurable, receiveMaximum }: SessionOptions,
  timeoutMs: number,
): IClientOptions {
  const properties = {
    ...(isDurable && { sessionExpiryInterval: sessionSeconds }),
    ...(receiveMaximum !== undefined && { receiveMaximum }),
    ...(authMethod !== undefined && { authenticationMethod: authMethod }),
  };
  return {
    clientId,
    clean: !isDurable,
    protocolVersion: mqttVersion === 'V5' ? 5 : 4,
    connectTimeout: timeoutMs,
    // A broken connection fails the task, and a trigger starts again: the stream cannot be opened twice.
    reconnectPeriod: 0,
    resubscribe: false,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(mqttVersion === 'V5' && { properties }),
  };
}

async function openStream(context: TaskContext, address: Address, input: MqttInput, timeoutMs: number) {
  const { host, port, isSecure } = address;
  const socket = await context.connect({ host, port, timeoutMs, signal: context.signal });
  if (!isSecure) return socket;
  const { crt } = input;
  const ca = crt !== undefined && isStorageUri(crt) ? await readText(context.files, crt) : crt;
  return connectTls({
    socket,
    servername: host,
    ...(ca !== undefined && { ca }),
    ...(input.httpsHostnameVerificationEnabled === false && { checkServerIdentity: () => undefined }),
  });
}

function connected(client: MqttClient, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`No reply within ${timeoutMs} ms.`)), timeoutMs);
    const settle = (end: () => void) => {
      clearTimeout(timer);
      end();
    };
    client.once('connect', () => settle(resolve));
    client.once('error', (error) => settle(() => reject(error)));
    client.once('close', () => settle(() => reject(new Error('The broker closed the connection.'))));
  });
}

interface Address {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
}

const schemes: Readonly<Record<string, boolean>> = {
  'tcp:': false,
  'mqtt:': false,
  'ssl:': true,
  'tls:': true,
  'mqtts:': true,
};

function readAddress(server: string): Address {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  const isSecure = schemes[url?.protocol ?? ''];
  if (!url || isSecure === undefined || url.hostname === '')
    throw new TaskFailed(`"server" must be an address such as tcp://host:1883, got "${server}".`, {
      retry: false,
    });
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { host, port: Number(url.port || (isSecure ? 8883 : 1883)), isSecure };
}

function explain(error: unknown, { host, port }: Address): Error {
  if (error instanceof TaskFailed) return error;
  const message = messageOf(error);
  const isDenied = /not authorized|bad (user ?name|username) or password|identifier/i.test(message);
  return new TaskFailed(`MQTT broker on ${host}:${port}: ${message}`, { retry: !isDenied, cause: error });
}

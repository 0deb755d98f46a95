/**
 * Event Hubs over AMQP 1.0. A connection is opened without a login; then a token is put to the node `$cbs`, the
 * node `$management` names the partitions, and each partition has its own link.
 */

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import {
  importModule,
  type MessageBuffer,
  messageOf,
  type TaskContext,
  TaskFailed,
} from '@millrace/plugin-kit';
import type * as Rhea from 'rhea';
import { z } from 'zod';
import { signResource } from '../bus/serviceBus.ts';
import { checkShape } from '../client/http.ts';
import { getToken } from '../client/identity.ts';
import { readConnectionString } from '../client/storage.ts';

export interface HubInput {
  readonly connectionString?: string | undefined;
  readonly sharedKeyAccountName?: string | undefined;
  readonly sharedKeyAccountAccessKey?: string | undefined;
  readonly sasToken?: string | undefined;
  readonly namespace: string;
  readonly eventHubName: string;
  readonly customEndpointAddress?: string | undefined;
  readonly clientMaxRetries: number;
  readonly clientRetryDelay: number;
}

export interface HubEvent {
  readonly partition: string;
  readonly message: Rhea.Message;
  readonly offset: string;
  readonly sequenceNumber: number;
  /** Milliseconds. */
  readonly enqueuedAt: number | undefined;
  readonly partitionKey: string | undefined;
  /** Lets the service send another event. */
  readonly done: () => void;
}

interface SentEvent {
  readonly body: Buffer;
  readonly properties: Readonly<Record<string, unknown>>;
  /** Properties of AMQP, such as `message_id`. */
  readonly facts: Readonly<Record<string, unknown>>;
}

interface Address {
  /** The name of the service, which signatures and checkpoints contain. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
}

const connectTimeoutMs = 15_000;
const answerTimeoutMs = 20_000;
/** The format of a message that holds many events. */
const batchFormat = 0x80013700;
const selectorFilter = 0x468c00000004;

export function addressOf(input: HubInput): Address {
  const settings = readConnectionString(input.connectionString ?? '');
  const named = settings.Endpoint && URL.canParse(settings.Endpoint) ? new URL(settings.Endpoint) : undefined;
  const { namespace } = input;
  const name =
    named?.hostname || (namespace.includes('.') ? namespace : `${namespace}.servicebus.windows.net`);
  const custom = input.customEndpointAddress;
  const text = custom && (custom.includes('://') ? custom : `amqps://${custom}`);
  if (text && !URL.canParse(text))
    throw new TaskFailed(
      `"customEndpointAddress" must be an address such as sb://host:5671, got "${custom}".`,
      {
        retry: false,
      },
    );
  const url = text ? new URL(text) : undefined;
  // The emulator has no certificate.
  const isSecure = settings.UseDevelopmentEmulator !== 'true' && url?.protocol !== 'amqp:';
  return {
    name,
    host: url?.hostname ?? name,
    port: Number(url?.port || named?.port || (isSecure ? 5671 : 5672)),
    isSecure,
  };
}

interface OpenHub {
  readonly hub: Hub;
  readonly close: () => void;
}

/** Connects, runs the work, and always closes the connection. */
export async function withHub<T>(
  context: TaskContext,
  input: HubInput,
  work: (hub: Hub) => Promise<T>,
): Promise<T> {
  const address = addressOf(input);
  const { signal } = context;
  const explain = (error: unknown): unknown =>
    error instanceof TaskFailed
      ? error
      : new TaskFailed(`Event Hubs at ${address.host}:${address.port}: ${messageOf(error)}`, {
          cause: error,
        });
  for (let tries = 0; ; tries++) {
    let open: OpenHub;
    try {
      open = await openHub(context, input, address);
    } catch (error) {
      signal.throwIfAborted();
      const isFinal = error instanceof TaskFailed && !error.retry;
      if (isFinal || tries >= input.clientMaxRetries) throw explain(error);
      await delay(input.clientRetryDelay * 2 ** tries, undefined, { signal });
      continue;
    }
    try {
      return await work(open.hub);
    } catch (error) {
      signal.throwIfAborted();
      throw explain(error);
    } finally {
      open.close();
    }
  }
}

async function openHub(context: TaskContext, input: HubInput, address: Address): Promise<OpenHub> {
  const library = await importModule<typeof Rhea & { readonly default?: typeof Rhea }>('rhea');
  const rhea = library.default ?? library;
  const { signal } = context;
  const { host, port } = address;
  const plain = await context.connect({ host, port, timeoutMs: connectTimeoutMs, signal });
  const socket = address.isSecure ? connectTls({ socket: plain, servername: address.name }) : plain;
  const connection = rhea.create_container({ id: `millrace-${randomUUID()}` }).connect({
    host,
    hostname: address.name,
    username: 'anonymous',
    reconnect: false,
    idle_time_out: 60_000,
    connection_details: () => ({
      host,
      port,
      // The socket obeys the outbound policy, so the library opens none.
      connect: (_port: number, _host: string, _options: unknown, opened: () => void) => {
        if (address.isSecure) socket.once('secureConnect', opened);
        else setImmediate(opened);
        return socket;
      },
    }),
    // `as`: the declared type knows no function `connect`.
  } as unknown as Rhea.ConnectionOptions);
  const hub = new Hub(context, input, rhea, connection);
  const stop = () => hub.fail(new Error('The task was killed.'));
  signal.addEventListener('abort', stop, { once: true });
  const close = () => {
    signal.removeEventListener('abort', stop);
    connection.close();
    // The service confirms the end; a server that does not must not keep the socket.
    const end = setTimeout(() => socket.destroy(), 500);
    socket.once('close', () => clearTimeout(end));
  };
  try {
    signal.throwIfAborted();
    await hub.authorize(address);
    return { hub, close };
  } catch (error) {
    close();
    throw error;
  }
}

export class Hub {
  readonly #context: TaskContext;
  readonly #input: HubInput;
  readonly #rhea: typeof Rhea;
  readonly #connection: Rhea.Connection;
  readonly #failures: ((error: Error) => void)[] = [];
  #failure: Error | undefined;

  constructor(context: TaskContext, input: HubInput, rhea: typeof Rhea, connection: Rhea.Connection) {
    this.#context = context;
    this.#input = input;
    this.#rhea = rhea;
    this.#connection = connection;
    const onError = (event: Rhea.EventContext | Error) => {
      if (event instanceof Error) return this.fail(event);
      const { error, receiver, sender } = event;
      this.fail(toError(error ?? event.connection?.error ?? receiver?.error ?? sender?.error));
    };
    for (const name of [
      'connection_error',
      'receiver_error',
      'sender_error',
      'session_error',
      'protocol_error',
    ])
      connection.on(name, onError);
    connection.on('disconnected', (event: Rhea.EventContext) => this.fail(toError(event.error)));
    connection.on('error', onError);
  }

  fail(error: Error): void {
    this.#failure ??= error;
    for (const listener of this.#failures.splice(0)) listener(this.#failure);
  }

  onFailure(listener: (error: Error) => void): void {
    if (this.#failure) listener(this.#failure);
    else this.#failures.push(listener);
  }

  async authorize({ name }: Address): Promise<void> {
    const { sasToken, eventHubName } = this.#input;
    const settings = readConnectionString(this.#input.connectionString ?? '');
    const keyName = settings.SharedAccessKeyName ?? this.#input.sharedKeyAccountName;
    const key = settings.SharedAccessKey ?? this.#input.sharedKeyAccountAccessKey;
    for (const secret of [key, sasToken]) if (secret) this.#context.masker.add(secret);
    const audience = `sb://${name}/${eventHubName}`;
    const isShared = (keyName && key) || sasToken;
    const token =
      keyName && key
        ? signResource(audience, keyName, key)
        : (sasToken ?? (await getToken(this.#context, {}, 'https://eventhubs.azure.net/.default')).value);
    await this.#request('$cbs', {
      body: token,
      application_properties: {
        operation: 'put-token',
        type: isShared ? 'servicebus.windows.net:sastoken' : 'jwt',
        name: audience,
      },
    });
  }

  async partitions(): Promise<readonly string[]> {
    const { eventHubName: name } = this.#input;
    const { body } = await this.#request('$management', {
      body: [],
      application_properties: { operation: 'READ', name, type: 'com.microsoft:eventhub' },
    });
    const Hub = z.looseObject({ partition_ids: z.array(z.string()).min(1) });
    return checkShape(body, Hub, `event hub "${name}"`).partition_ids;
  }

  /** Events of a partition after a position; `buffer` gets at most `credit` that are not done. */
  receive(
    partition: string,
    {
      group,
      position,
      credit,
    }: { readonly group: string; readonly position: string; readonly credit: number },
    buffer: MessageBuffer<HubEvent>,
  ): void {
    const receiver = this.#connection.open_receiver({
      source: {
        address: `${this.#input.eventHubName}/ConsumerGroups/${group}/Partitions/${partition}`,
        filter: {
          'apache.org:selector-filter:string': this.#rhea.types.wrap_described(position, selectorFilter),
        },
      },
      credit_window: 0,
      autoaccept: true,
    } as Rhea.ReceiverOptions); // the declared filter has no described values
    receiver.on('message', ({ message }: Rhea.EventContext) => {
      if (!message) return;
      const notes = message.message_annotations ?? {};
      const enqueued = notes['x-opt-enqueued-time'];
      buffer.push({
        partition,
        message,
        offset: String(notes['x-opt-offset'] ?? ''),
        sequenceNumber: Number(notes['x-opt-sequence-number'] ?? 0),
        enqueuedAt: enqueued === undefined ? undefined : Number(enqueued),
        partitionKey: notes['x-opt-partition-key'],
        done: () => {
          if (receiver.is_open()) receiver.add_credit(1);
        },
      });
    });
    receiver.add_credit(credit);
    this.onFailure((error) => buffer.fail(error));
  }

  /** Sends batches; each resolves when the service has stored it. */
  async openSender(): Promise<
    (events: readonly SentEvent[], partitionKey: string | undefined) => Promise<void>
  > {
    const sender = this.#connection.open_sender({
      target: { address: this.#input.eventHubName },
      autosettle: true,
    });
    await this.#wait<void>(
      (resolve) => sender.once('sendable', () => resolve()),
      'The link to the event hub',
    );
    return async (events, partitionKey) => {
      const { message } = this.#rhea;
      const annotations =
        partitionKey === undefined ? {} : { message_annotations: { 'x-opt-partition-key': partitionKey } };
      const body = message.data_sections(
        events.map(({ body: data, properties, facts }) =>
          message.encode({
            ...facts,
            ...annotations,
            application_properties: properties,
            body: message.data_section(data),
          } as Rhea.Message),
        ),
      );
      const encoded = message.encode({ body, ...annotations } as Rhea.Message);
      if (!sender.sendable())
        await this.#wait<void>((resolve) => sender.once('sendable', () => resolve()), 'Room for a batch');
      const delivery = sender.send(encoded as unknown as Rhea.Message, undefined, batchFormat);
      await this.#wait<void>((resolve, reject) => {
        const settled = ({ delivery: found }: Rhea.EventContext, refusal?: string) => {
          if (found?.id !== delivery.id) return;
          for (const name of ['accepted', 'rejected', 'released', 'modified'])
            sender.removeAllListeners(name);
          if (refusal === undefined) resolve();
          else reject(new TaskFailed(`Event Hubs refused a batch of ${events.length} events: ${refusal}`));
        };
        sender.on('accepted', (event: Rhea.EventContext) => settled(event));
        sender.on('released', (event: Rhea.EventContext) => settled(event, 'released'));
        sender.on('modified', (event: Rhea.EventContext) => settled(event, 'modified'));
        sender.on('rejected', (event: Rhea.EventContext) =>
          settled(event, toError(event.delivery?.remote_state?.error).message),
        );
      }, 'The confirmation of a batch');
    };
  }

  /** Sends a request to a node of the service and returns its response. */
  #request(node: string, request: Rhea.Message): Promise<Rhea.Message> {
    const id = randomUUID();
    const replyTo = `${node}-${id}`;
    const receiver = this.#connection.open_receiver({
      source: { address: node },
      target: { address: replyTo },
    });
    const sender = this.#connection.open_sender({ target: { address: node } });
    return this.#wait<Rhea.Message>((resolve, reject) => {
      receiver.on('message', ({ message }: Rhea.EventContext) => {
        if (!message) return;
        const facts = message.application_properties ?? {};
        const status = Number(facts['status-code'] ?? facts.statusCode ?? 0);
        const words = facts['status-description'] ?? facts.statusDescription ?? `status ${status}`;
        sender.close();
        receiver.close();
        if (status >= 200 && status < 300) resolve(message);
        else
          reject(
            new TaskFailed(`Event Hubs refused ${node}: ${words}`, {
              retry: status === 429 || status >= 500,
            }),
          );
      });
      sender.once('sendable', () => sender.send({ ...request, message_id: id, reply_to: replyTo }));
    }, `The response of ${node}`);
  }

  /** Fails when the connection breaks or nothing happens in time. */
  #wait<T>(
    start: (resolve: (value: T) => void, reject: (error: Error) => void) => void,
    what: string,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new TaskFailed(`${what} did not arrive within ${answerTimeoutMs / 1000} s.`)),
        answerTimeoutMs,
      );
      const end = (act: () => void) => {
        clearTimeout(timer);
        act();
      };
      this.onFailure((error) => end(() => reject(error)));
      start(
        (value) => end(() => resolve(value)),
        (error) => end(() => reject(error)),
      );
    });
  }
}

function toError(error: unknown): Error {
  if (error instanceof Error) return error;
  const read = z
    .looseObject({ condition: z.string().nullish(), description: z.string().nullish() })
    .safeParse(error ?? {});
  const words = read.success ? [read.data.condition, read.data.description].filter(Boolean).join(': ') : '';
  return new Error(words || 'The connection was closed.');
}

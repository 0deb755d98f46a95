/**
 * Brokers over AMQP 1.0, the protocol that ActiveMQ, Artemis, Qpid, Solace, Azure and RabbitMQ share. JMS and Solace use
 * it, because their own client libraries are for the JVM.
 */

import { randomUUID } from 'node:crypto';
import { connect as connectTls } from 'node:tls';
import { importModule, MessageBuffer, messageOf, type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import type * as Rhea from 'rhea';
import { z } from 'zod';

export interface Address {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

export interface Node {
  readonly name: string;
  readonly kind: 'QUEUE' | 'TOPIC';
}

export interface Received {
  readonly message: Rhea.Message;
  accept(): void;
}

const connectTimeoutMs = 10_000;
const selectorFilter = 0x468c00000004;

/** Connects, runs the work, and always closes the connection. */
export async function withBroker<T>(
  context: TaskContext,
  address: Address,
  work: (broker: Broker) => Promise<T>,
): Promise<T> {
  if (address.password !== undefined) context.masker.add(address.password);
  const { signal } = context;
  let close = () => {};
  try {
    const opened = await openBroker(context, address);
    close = opened.close;
    await opened.broker.ready();
    return await work(opened.broker);
  } catch (error) {
    signal.throwIfAborted();
    throw explain(error, address);
  } finally {
    close();
  }
}

async function openBroker(
  context: TaskContext,
  { host, port, isSecure, username, password }: Address,
): Promise<{ readonly broker: Broker; readonly close: () => void }> {
  const library = await importModule<typeof Rhea & { readonly default?: typeof Rhea }>('rhea');
  const rhea = library.default ?? library;
  const { signal } = context;
  const plain = await context.connect({ host, port, timeoutMs: connectTimeoutMs, signal });
  const socket = isSecure ? connectTls({ socket: plain, servername: host }) : plain;
  const connection = rhea.create_container({ id: `millrace-${randomUUID()}` }).connect({
    host,
    hostname: host,
    username: username ?? 'anonymous',
    ...(password !== undefined && { password }),
    reconnect: false,
    idle_time_out: 60_000,
    connection_details: () => ({
      host,
      port,
      // The socket obeys the outbound policy, so the library opens none.
      connect: (_port: number, _host: string, _options: unknown, opened: () => void) => {
        if (isSecure) socket.once('secureConnect', opened);
        else setImmediate(opened);
        return socket;
      },
    }),
    // `as`: the declared type knows no function `connect`.
  } as unknown as Rhea.ConnectionOptions);
  const broker = new Broker(rhea, connection);
  const stop = () => broker.fail(new Error('The task was killed.'));
  signal.addEventListener('abort', stop, { once: true });
  const close = () => {
    signal.removeEventListener('abort', stop);
    connection.close();
    // The broker confirms the end; one that does not must not keep the socket.
    const end = setTimeout(() => socket.destroy(), 500);
    socket.once('close', () => clearTimeout(end));
  };
  return { broker, close };
}

export class Broker {
  readonly #rhea: typeof Rhea;
  readonly #connection: Rhea.Connection;
  readonly #listeners = new Set<(error: Error) => void>();
  #failure: Error | undefined;

  constructor(rhea: typeof Rhea, connection: Rhea.Connection) {
    this.#rhea = rhea;
    this.#connection = connection;
    const onError = (event: Rhea.EventContext | Error) => {
      if (event instanceof Error) return this.fail(event);
      const { error, receiver, sender, session } = event;
      this.fail(toError(error ?? receiver?.error ?? sender?.error ?? session?.error ?? connection.error));
    };
    const events = ['connection_error', 'receiver_error', 'sender_error', 'session_error', 'protocol_error'];
    for (const name of [...events, 'error']) connection.on(name, onError);
    connection.on('disconnected', (event: Rhea.EventContext) => this.fail(toError(event.error)));
    connection.on('connection_close', () => this.fail(toError(connection.error)));
    connection.on('receiver_close', () => this.fail(new Error('The broker closed the receiver.')));
  }

  fail(error: Error): void {
    this.#failure ??= error;
    for (const listener of [...this.#listeners]) listener(this.#failure);
    this.#listeners.clear();
  }

  /** Resolves when the broker has accepted the login. */
  async ready(): Promise<void> {
    await this.#wait<void>(
      (resolve) => this.#connection.once('connection_open', () => resolve()),
      'The login',
      connectTimeoutMs,
    );
  }

  /** Binary content, which other clients receive as bytes. */
  bytes(content: Buffer): unknown {
    return this.#rhea.message.data_section(content);
  }

  byte(value: number): unknown {
    return this.#rhea.types.wrap_byte(value);
  }

  /** Opens a link to a node; the function resolves when the broker has accepted the message. */
  async openSender(node: Node): Promise<(message: Rhea.Message, timeoutMs: number) => Promise<void>> {
    const sender = this.#connection.open_sender({
      target: { address: this.#addressOf(node), ...capabilityOf(node) },
      autosettle: true,
    } as Rhea.SenderOptions); // the declared target lacks capabilities as texts
    await this.#wait<void>(
      (resolve) => sender.once('sendable', () => resolve()),
      `The link to "${node.name}"`,
      connectTimeoutMs,
    );
    return async (message, timeoutMs) => {
      if (!sender.sendable())
        await this.#wait<void>(
          (resolve) => sender.once('sendable', () => resolve()),
          `Room for a message in "${node.name}"`,
          timeoutMs,
        );
      const delivery = sender.send(message);
      await this.#wait<void>(
        (resolve, reject) => {
          const outcomes = ['accepted', 'released', 'modified', 'rejected'] as const;
          const settle = (event: Rhea.EventContext, outcome: string) => {
            if (event.delivery?.id !== delivery.id) return;
            for (const name of outcomes) sender.removeAllListeners(name);
            if (outcome === 'accepted') return resolve();
            const reason = toError(event.delivery?.remote_state?.error ?? { condition: outcome }).message;
            reject(new TaskFailed(`The broker refused a message for "${node.name}": ${reason}`));
          };
          for (const name of outcomes) sender.on(name, (event: Rhea.EventContext) => settle(event, name));
        },
        'The confirmation of a message',
        timeoutMs,
      );
    };
  }

  /** Messages of a node. `add` lets the broker send this many more. */
  receive(
    node: Node,
    selector: string | undefined,
  ): { readonly buffer: MessageBuffer<Received>; add(count: number): void } {
    const buffer = new MessageBuffer<Received>();
    const receiver = this.#connection.open_receiver({
      source: {
        address: this.#addressOf(node),
        ...capabilityOf(node),
        ...(selector !== undefined && {
          filter: {
            'apache.org:selector-filter:string': this.#rhea.types.wrap_described(selector, selectorFilter),
          },
        }),
      },
      credit_window: 0,
      autoaccept: false,
    } as Rhea.ReceiverOptions); // the declared filter has no described values
    receiver.on('message', ({ message, delivery }: Rhea.EventContext) => {
      if (message && delivery) buffer.push({ message, accept: () => delivery.accept() });
    });
    this.#onFailure((error) => buffer.fail(error));
    return { buffer, add: (count) => receiver.add_credit(count) };
  }

  /** Resolves when everything that was accepted is sent. */
  async flush(): Promise<void> {
    if (this.#failure) throw this.#failure;
    await new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));
  }

  /** Brokers name the prefixes of queues and topics when they accept the connection. */
  #addressOf({ name, kind }: Node): string {
    if (/^(queue|topic):\/\//.test(name) || name.startsWith('/')) return name;
    const { properties } = this.#connection;
    const prefix: unknown = properties?.[kind === 'QUEUE' ? 'queue-prefix' : 'topic-prefix'];
    return `${typeof prefix === 'string' ? prefix : ''}${name}`;
  }

  #onFailure(listener: (error: Error) => void): void {
    if (this.#failure) listener(this.#failure);
    else this.#listeners.add(listener);
  }

  /** Fails when the connection breaks or nothing happens in time. */
  #wait<T>(
    start: (resolve: (value: T) => void, reject: (error: Error) => void) => void,
    what: string,
    timeoutMs: number,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const end = (act: () => void) => {
        clearTimeout(timer);
        this.#listeners.delete(fail);
        act();
      };
      const fail = (error: Error) => end(() => reject(error));
      const timer = setTimeout(
        () => fail(new TaskFailed(`${what} did not arrive within ${timeoutMs / 1000} s.`)),
        timeoutMs,
      );
      this.#onFailure(fail);
      start(
        (value) => end(() => resolve(value)),
        (error) => end(() => reject(error)),
      );
    });
  }
}

const capabilityOf = ({ kind }: Node) => ({ capabilities: [kind.toLowerCase()] });

function toError(error: unknown): Error {
  if (error instanceof Error) return error;
  const read = z
    .looseObject({ condition: z.string().nullish(), description: z.string().nullish() })
    .safeParse(error ?? {});
  const words = read.success ? [read.data.condition, read.data.description].filter(Boolean).join(': ') : '';
  return new Error(words || 'The connection was closed.');
}

function explain(error: unknown, { host, port }: Address): Error {
  if (error instanceof TaskFailed) return error;
  const message = messageOf(error);
  const isFinal = /unauthorized|not-found|not-allowed|auth.*fail|invalid-field/i.test(message);
  const hint = /protocol|header/i.test(message) ? ' The port must be the one of AMQP 1.0.' : '';
  return new TaskFailed(`AMQP 1.0 broker on ${host}:${port}: ${message}.${hint}`.replace('..', '.'), {
    retry: !isFinal,
    cause: error,
  });
}

import { createHmac } from 'node:crypto';
import { type OutboundResponse, type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import { z } from 'zod';
import { type Authorize, type AzureRequest, parseResponse, readText, sendAzure } from '../client/http.ts';
import { getToken, type Identity, type Token } from '../client/identity.ts';
import { readConnectionString } from '../client/storage.ts';

export interface BusInput extends Identity {
  readonly connectionString?: string | undefined;
  readonly queueName?: string | undefined;
  readonly topicName?: string | undefined;
  readonly subscriptionName?: string | undefined;
  readonly subQueue?: 'NONE' | 'DEAD_LETTER_QUEUE' | 'TRANSFER_DEAD_LETTER_QUEUE' | undefined;
}

export interface BusMessage {
  readonly messageId?: string | undefined;
  /** Given by the queue, so it names the message for sure. */
  readonly sequenceNumber?: number | undefined;
  readonly subject?: string | undefined;
  readonly body: string;
  readonly timeToLiveMs?: number | undefined;
  readonly applicationProperties: Readonly<Record<string, unknown>>;
  /** Deletes a message that was only locked. */
  readonly complete: () => Promise<void>;
}

const Properties = z.looseObject({
  MessageId: z.string().optional(),
  SequenceNumber: z.number().optional(),
  Label: z.string().optional(),
  TimeToLive: z.number().optional(),
});

const subQueues = {
  NONE: '',
  DEAD_LETTER_QUEUE: '/$deadletterqueue',
  TRANSFER_DEAD_LETTER_QUEUE: '/$transfer/$deadletterqueue',
} as const;

/** Headers of the protocol; all others are properties of the message. */
const ownHeaders = new Set([
  'brokerproperties',
  'content-type',
  'content-length',
  'date',
  'location',
  'server',
  'transfer-encoding',
  'strict-transport-security',
  'connection',
  'keep-alive',
  'cache-control',
  'vary',
]);

/** Messages of a queue, a topic or a subscription, over HTTP. */
export class ServiceBus {
  readonly #context: TaskContext;
  readonly #input: BusInput;
  readonly #base: string;
  readonly #settings: Readonly<Record<string, string>>;
  #token: Token | undefined;

  constructor(context: TaskContext, input: BusInput) {
    const settings = readConnectionString(input.connectionString ?? '');
    if (!settings.Endpoint)
      throw new TaskFailed('"connectionString" must name the Service Bus: it begins with "Endpoint=sb://".', {
        retry: false,
      });
    if (settings.SharedAccessKey) context.masker.add(settings.SharedAccessKey);
    this.#context = context;
    this.#input = input;
    this.#settings = settings;
    // Plain HTTP is for emulators only, whose address names it.
    this.#base = settings.Endpoint.replace(/^sb:/, 'https:').replace(/\/+$/, '');
  }

  get entity(): string {
    const { queueName, topicName } = this.#input;
    const name = queueName ?? topicName ?? this.#settings.EntityPath;
    if (!name) throw new TaskFailed('One of "queueName" and "topicName" must be given.', { retry: false });
    return name;
  }

  /** Up to a hundred messages in one request. */
  async publish(messages: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
    const response = await this.#send({
      action: `${messages.length} messages for "${this.entity}"`,
      method: 'POST',
      url: `${this.#base}/${encodeURIComponent(this.entity)}/messages`,
      headers: { 'content-type': 'application/vnd.microsoft.servicebus.json' },
      body: JSON.stringify(messages),
    });
    await readText(response);
  }

  /** The next message; undefined when none arrives in time. Without a lock it is deleted at once. */
  async receive(waitMs: number, isLocking: boolean): Promise<BusMessage | undefined> {
    const { topicName, subscriptionName, queueName, subQueue = 'NONE' } = this.#input;
    if (queueName === undefined && topicName !== undefined && subscriptionName === undefined)
      throw new TaskFailed('"subscriptionName" must be given to read a topic.', { retry: false });
    const subscription =
      queueName === undefined && subscriptionName !== undefined
        ? `/subscriptions/${encodeURIComponent(subscriptionName)}`
        : '';
    const path = `${encodeURIComponent(this.entity)}${subscription}${subQueues[subQueue]}`;
    const response = await this.#send({
      action: `the next message of "${this.entity}"`,
      method: isLocking ? 'POST' : 'DELETE',
      url: `${this.#base}/${path}/messages/head?timeout=${Math.max(1, Math.round(waitMs / 1000))}`,
    });
    const body = await readText(response);
    if (response.status === 204) return undefined;
    const header = response.headers.brokerproperties?.[0];
    const { MessageId, SequenceNumber, Label, TimeToLive } = parseResponse(
      header ?? '',
      Properties,
      this.#base,
    );
    return {
      messageId: MessageId,
      sequenceNumber: SequenceNumber,
      subject: Label,
      body,
      timeToLiveMs: TimeToLive === undefined ? undefined : TimeToLive * 1000,
      applicationProperties: propertiesOf(response),
      complete: () => this.#complete(response.headers.location?.[0]),
    };
  }

  async #complete(location: string | undefined): Promise<void> {
    if (location === undefined) return;
    // The service returns its own address; the task's configured address is used instead.
    const url = `${this.#base}${new URL(location, this.#base).pathname}`;
    await readText(
      await this.#send({ action: 'the deletion of a message', method: 'DELETE', url, accept: [404, 410] }),
    );
  }

  #send(request: AzureRequest): Promise<OutboundResponse> {
    return sendAzure(this.#context, 'Service Bus', this.#authorize, request);
  }

  #authorize: Authorize = async ({ url }, headers) => {
    const { SharedAccessKeyName: name, SharedAccessKey: key } = this.#settings;
    if (name && key) return { headers: { ...headers, authorization: signature(url, name, key) } };
    if (!this.#token || Date.now() > this.#token.expiresAt - 60_000)
      this.#token = await getToken(this.#context, this.#input, 'https://servicebus.azure.net/.default');
    return { headers: { ...headers, authorization: `Bearer ${this.#token.value}` } };
  };
}

/** A shared access signature for an hour. */
export function signature(url: string, name: string, key: string): string {
  const { origin, pathname } = new URL(url);
  return signResource(`${origin}${pathname}`, name, key);
}

/** A shared access signature for an hour, for an address of any protocol. */
export function signResource(address: string, name: string, key: string): string {
  const resource = encodeURIComponent(address.toLowerCase());
  const expiry = Math.floor(Date.now() / 1000) + 3600;
  const sig = createHmac('sha256', key).update(`${resource}\n${expiry}`).digest('base64');
  return `SharedAccessSignature sr=${resource}&sig=${encodeURIComponent(sig)}&se=${expiry}&skn=${encodeURIComponent(name)}`;
}

/** Values are JSON: texts in quotes, numbers without. */
function propertiesOf({ headers }: OutboundResponse): Record<string, unknown> {
  const found = Object.entries(headers).flatMap(([name, [value = '']]) => {
    if (ownHeaders.has(name) || name.startsWith('x-ms-')) return [];
    try {
      return [[name, JSON.parse(value)] as const];
    } catch {
      return [[name, value] as const];
    }
  });
  return Object.fromEntries(found);
}

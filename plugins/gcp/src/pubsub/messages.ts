import { setTimeout as delay } from 'node:timers/promises';
import { choice, flag, type TaskContext, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import type { Google } from '../google/client.ts';
import type { Cloud } from '../google/define.ts';
import { isMap, type Json, mapAt, mapsAt, textAt } from '../google/json.ts';

export const pubsubUrl = 'https://pubsub.googleapis.com/v1';

export type SerdeType = 'STRING' | 'JSON';

export const topicProperty = () => text().describe('The topic, by its name or as `projects/…/topics/…`.');
export const serdeTypeProperty = () =>
  choice(['STRING', 'JSON'])
    .default('STRING')
    .describe('How `data` is written in a message: as text or as JSON.');

export const subscriptionProperties = {
  topic: topicProperty(),
  autoCreateSubscription: flag().default(true).describe('Create the subscription when it does not exist.'),
  serdeType: serdeTypeProperty(),
};

export const messageOutput = {
  data: z.unknown().describe('The content.'),
  attributes: z.record(z.string(), z.string()).describe('The attributes.'),
  messageId: z.string().describe('The id that Pub/Sub gave it.'),
  orderingKey: z.string().optional().describe('Messages with the same key arrive in order.'),
};

export interface Message {
  readonly data: unknown;
  readonly attributes: Record<string, string>;
  readonly messageId: string;
  readonly orderingKey?: string;
}

export interface Received {
  readonly ackId: string;
  readonly message: Message;
}

/** The whole name of a topic or subscription. */
export async function nameOf(
  { project }: Cloud,
  kind: 'topics' | 'subscriptions',
  name: string,
): Promise<string> {
  return name.startsWith('projects/') ? name : `projects/${await project()}/${kind}/${name}`;
}

interface SubscriptionInput {
  readonly topic: string;
  readonly subscription?: string | undefined;
  readonly autoCreateSubscription: boolean;
}

/** A subscription of a topic, created when it is missing. */
export class Subscription {
  readonly #google: Google;
  readonly #url: string;

  private constructor(google: Google, url: string) {
    this.#google = google;
    this.#url = url;
  }

  static async open(cloud: Cloud, context: TaskContext, input: SubscriptionInput): Promise<Subscription> {
    const { namespace, flowId, taskId } = context.run;
    // A trigger without a subscription gets a dedicated one, so that it misses nothing between two polls.
    const name =
      input.subscription ??
      `millrace-${namespace}-${flowId}-${taskId}`.replace(/[^\w.~+%-]/g, '-').slice(0, 255);
    const whole = await nameOf(cloud, 'subscriptions', name);
    const url = `${pubsubUrl}/${whole}`;
    if (input.autoCreateSubscription) {
      const topic = await nameOf(cloud, 'topics', input.topic);
      const { status } = await cloud.google.json({ url, method: 'PUT', body: { topic }, allow: [409] });
      if (status !== 409) await context.log('INFO', `The subscription ${whole} was created.`);
    }
    return new Subscription(cloud.google, url);
  }

  /** The same subscription, whose calls end with the signal. */
  within(signal: AbortSignal): Subscription {
    return new Subscription(this.#google.within(signal), this.#url);
  }

  /** The messages that are there. Pub/Sub keeps the request open for a while when there is none. */
  async pull(maxMessages: number, serdeType: SerdeType): Promise<readonly Received[]> {
    const body = await this.#call('pull', { maxMessages: Math.min(maxMessages, 1000) });
    return mapsAt(body, 'receivedMessages').map((each) => ({
      ackId: textAt(each, 'ackId') ?? '',
      message: toMessage(mapAt(each, 'message'), serdeType),
    }));
  }

  /** Pub/Sub delivers these messages to no other client for so long. */
  async extend(received: readonly Received[], seconds: number): Promise<void> {
    for (const ackIds of batches(received))
      await this.#call('modifyAckDeadline', { ackIds, ackDeadlineSeconds: seconds });
  }

  async acknowledge(received: readonly Received[]): Promise<void> {
    for (const ackIds of batches(received)) await this.#call('acknowledge', { ackIds });
  }

  /** Releases messages for redelivery at once, even after the task was killed. */
  async release(received: readonly Received[]): Promise<void> {
    const detached = new Subscription(this.#google.detached(), this.#url);
    await detached.extend(received, 0).catch(() => {});
  }

  async #call(method: string, body: Json): Promise<Json> {
    const { body: answer } = await this.#google.json({
      url: `${this.#url}:${method}`,
      body,
      idempotent: true,
      // A pull without messages may stay open for more than a minute.
      readTimeoutMs: 120_000,
    });
    return answer;
  }
}

function* batches(received: readonly Received[]): Generator<string[]> {
  for (let from = 0; from < received.length; from += 1000)
    yield received.slice(from, from + 1000).map(({ ackId }) => ackId);
}

function toMessage(json: Json, serdeType: SerdeType): Message {
  const content = Buffer.from(textAt(json, 'data') ?? '', 'base64').toString('utf8');
  const orderingKey = textAt(json, 'orderingKey');
  return {
    data: serdeType === 'JSON' ? parseData(content, textAt(json, 'messageId')) : content,
    // `as`: attributes are a map of texts.
    attributes: { ...(mapAt(json, 'attributes') as Record<string, string>) },
    messageId: textAt(json, 'messageId') ?? '',
    ...(orderingKey !== undefined && { orderingKey }),
  };
}

function parseData(content: string, id: string | undefined): unknown {
  if (content === '') return null;
  try {
    return JSON.parse(content);
  } catch {
    throw new TaskFailed(`The data of the message ${id} is not JSON. Use "serdeType: STRING".`, {
      retry: false,
    });
  }
}

/** Converts a flow's message to a Pub/Sub message. */
export function toPubsub(value: unknown, serdeType: SerdeType): Json {
  const message: Json = isMap(value) ? value : { data: value };
  const { data, attributes, orderingKey } = message;
  const content =
    data === undefined || data === null
      ? undefined
      : serdeType === 'STRING' && typeof data === 'string'
        ? data
        : JSON.stringify(data);
  if (content === undefined && (!isMap(attributes) || Object.keys(attributes).length === 0))
    throw new TaskFailed('A message needs "data" or "attributes".', { retry: false });
  return {
    ...(content !== undefined && { data: Buffer.from(content).toString('base64') }),
    ...(isMap(attributes) && {
      attributes: Object.fromEntries(Object.entries(attributes).map(([key, each]) => [key, String(each)])),
    }),
    ...(typeof orderingKey === 'string' && { orderingKey }),
  };
}

/** A pause that a stop of the trigger ends. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal }).catch(() => {});

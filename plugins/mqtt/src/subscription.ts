import {
  choice,
  deserializeMessage,
  integer,
  MessageBuffer,
  type MessageSerde,
  storeMessages,
  type TaskContext,
  TaskFailed,
  textOrList,
} from '@millrace/plugin-kit';
import type { IPublishPacket, MqttClient } from 'mqtt';
import { type MqttInput, type Session, withMqtt } from './client.ts';

export const subscribeProperties = () => ({
  topic: textOrList().describe('The topic, or a list of them; `+` and `#` are wildcards.'),
  serdeType: choice(['STRING', 'JSON', 'BYTES'])
    .default('JSON')
    .describe('What a message contains: text, JSON, or bytes.'),
  qos: integer({ min: 0, max: 2 })
    .default(1)
    .describe('The quality of service. 0 may lose messages; 2 is received like 1, at least once.'),
});

export interface SubscribeInput extends MqttInput {
  readonly topic: readonly string[];
  readonly serdeType: MessageSerde;
  readonly qos: number;
  readonly maxRecords?: number | undefined;
  readonly maxDuration?: number | undefined;
}

export function toMessage(context: TaskContext, packet: IPublishPacket, serde: MessageSerde) {
  const { messageId, topic, qos, retain, payload, properties } = packet;
  const { responseTopic, correlationData, ...others } = properties ?? {};
  return {
    id: messageId ?? 0,
    topic,
    qos,
    retain,
    properties: others,
    payload: deserializeMessage(context, Buffer.from(payload), serde),
    ...(responseTopic !== undefined && { responseTopic }),
    ...(correlationData !== undefined && { correlationData: correlationData.toString('utf8') }),
  };
}

/** With QoS 2 the broker drops a message before it is delivered, so QoS 1 is requested: at least once. */
const grantedQos = (qos: number) => (qos === 0 ? 0 : 1);

async function subscribe({ client }: Session, { topic, qos }: SubscribeInput): Promise<void> {
  const granted = await client.subscribeAsync([...topic], { qos: grantedQos(qos) });
  const refused = granted.find((each) => each.qos >= 128);
  if (refused)
    throw new TaskFailed(`The broker refuses the subscription to "${refused.topic}".`, { retry: false });
}

/** The library acknowledges by itself only; the method that does so is not public. */
interface Acknowledger {
  _sendPacket(packet: object, callback: (error?: Error) => void): void;
}

/** Sends the acknowledgment that was held back when the message arrived. */
const acknowledge = (client: MqttClient, { qos, messageId }: IPublishPacket) =>
  new Promise<void>((resolve, reject) => {
    if (qos === 0 || messageId === undefined) return resolve();
    const acknowledger = client as unknown as Acknowledger; // see above
    acknowledger._sendPacket({ cmd: 'puback', messageId, reasonCode: 0 }, (error) =>
      error ? reject(error) : resolve(),
    );
  });

/** Prevents the library from acknowledging a message before it is delivered. */
function holdBack(client: MqttClient, take: (packet: IPublishPacket) => void): void {
  client.handleMessage = (packet, callback) => {
    take(packet);
    // An error means: continue with the next packet, but do not acknowledge this one.
    callback(packet.qos === 0 ? undefined : new Error('The message is acknowledged later.'));
  };
}

export interface Consumed {
  readonly messagesCount: number;
  readonly uri?: string;
}

const largestWindow = 65_535;

/** Stores messages, hands the result over, and acknowledges when that is done. */
export function consumeStored<T>(
  context: TaskContext,
  input: SubscribeInput,
  {
    isDurable,
    storeEmpty,
    handOver,
  }: { isDurable: boolean; storeEmpty: boolean; handOver: (consumed: Consumed) => Promise<T> },
): Promise<T> {
  if (input.maxRecords === undefined && input.maxDuration === undefined)
    throw new TaskFailed('One of "maxRecords" and "maxDuration" must be given.', { retry: false });
  const startedAt = Date.now();
  const buffer = new MessageBuffer<IPublishPacket>();
  const options = {
    isDurable,
    receiveMaximum: Math.min(input.maxRecords ?? largestWindow, largestWindow),
    prepare: (client: MqttClient) => holdBack(client, (packet) => buffer.push(packet)),
  };
  return withMqtt(context, input, options, async (session) => {
    session.onFailure((error) => buffer.fail(error));
    await subscribe(session, input);
    const taken: IPublishPacket[] = [];
    const { count, uri } = await storeMessages(context, {
      next: async (waitMs) => {
        const packet = await buffer.next(waitMs);
        if (packet) taken.push({ ...packet, payload: '' });
        return packet;
      },
      toRow: (packet) => toMessage(context, packet, input.serdeType),
      storeEmpty,
      maxRecords: input.maxRecords,
      maxDuration: input.maxDuration,
    });
    const result = await handOver({ messagesCount: count, ...(uri !== undefined && { uri }) });
    for (const packet of taken) await acknowledge(session.client, packet);
    context.metric({ name: 'records', type: 'counter', value: count });
    context.metric({ name: 'duration', type: 'timer', value: Date.now() - startedAt });
    return result;
  });
}

/** How many messages wait for their execution. */
const window = 10;

/** Delivers every message until the trigger is stopped. */
export async function eachMessage(
  context: TaskContext,
  input: SubscribeInput,
  handOver: (packet: IPublishPacket) => Promise<void>,
): Promise<void> {
  const buffer = new MessageBuffer<IPublishPacket>();
  const options = {
    isDurable: true,
    receiveMaximum: window,
    prepare: (client: MqttClient) => holdBack(client, (packet) => buffer.push(packet)),
  };
  await withMqtt(context, input, options, async (session) => {
    session.onFailure((error) => buffer.fail(error));
    await subscribe(session, input);
    while (!context.signal.aborted) {
      const packet = await buffer.next(60_000);
      if (!packet) continue;
      await handOver(packet);
      await acknowledge(session.client, packet);
    }
  });
}

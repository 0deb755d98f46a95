import { choice, defineTask, flag, mapOf, someValue, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { connectionProperties, withAmqp, withChannel } from './client.ts';
import { taskExample } from './example.ts';

const argsProperty = (what: string) =>
  mapOf(someValue()).optional().describe(`More arguments of the ${what}.`);

const createQueue = defineTask({
  type: 'amqp.CreateQueue',
  title: 'Create an AMQP queue',
  description: `Creates a queue. A queue of that name with the same settings is left as it is; other settings fail the task. An exclusive queue ends
with the task.`,
  input: () =>
    z.object({
      ...connectionProperties(),
      name: text().describe('The name of the queue.'),
      durability: flag().default(true).describe('Whether the queue survives a restart of the broker.'),
      exclusive: flag().default(false).describe('Whether only this connection may use the queue.'),
      autoDelete: flag().default(false).describe('Whether the queue is deleted after its last consumer.'),
      args: argsProperty('queue'),
    }),
  output: () => z.object({ queue: z.string().describe('The name of the queue.') }),
  sideEffects: true,
  examples: [
    taskExample('CreateQueue', 'A queue that keeps messages for an hour.', [
      'name: orders',
      'args: {x-message-ttl: 3600000}',
    ]),
  ],
  run: (context, input) =>
    withAmqp(context, input, (connection) =>
      withChannel(connection, async (channel) => {
        const { queue } = await channel.assertQueue(input.name, {
          durable: input.durability,
          exclusive: input.exclusive,
          autoDelete: input.autoDelete,
          arguments: input.args,
        });
        return { queue };
      }),
    ),
});

const declareExchange = defineTask({
  type: 'amqp.DeclareExchange',
  title: 'Create an AMQP exchange',
  description: `Creates an exchange. An exchange of that name with the same settings is left as it is; other settings fail the task.`,
  input: () =>
    z.object({
      ...connectionProperties(),
      name: text().describe('The name of the exchange.'),
      exchangeType: choice(['DIRECT', 'FANOUT', 'TOPIC', 'HEADERS'])
        .default('DIRECT')
        .describe('How messages find their queues.'),
      durability: flag().default(true).describe('Whether the exchange survives a restart of the broker.'),
      autoDelete: flag().default(false).describe('Whether the exchange is deleted after its last binding.'),
      internal: flag().default(false).describe('Whether only other exchanges may publish to it.'),
      args: argsProperty('exchange'),
    }),
  output: () => z.object({ exchange: z.string().describe('The name of the exchange.') }),
  sideEffects: true,
  examples: [
    taskExample('DeclareExchange', 'An exchange that routes by topic.', [
      'name: orders',
      'exchangeType: TOPIC',
    ]),
  ],
  run: (context, input) =>
    withAmqp(context, input, (connection) =>
      withChannel(connection, async (channel) => {
        const { exchange } = await channel.assertExchange(input.name, input.exchangeType.toLowerCase(), {
          durable: input.durability,
          autoDelete: input.autoDelete,
          internal: input.internal,
          arguments: input.args,
        });
        return { exchange };
      }),
    ),
});

const queueBind = defineTask({
  type: 'amqp.QueueBind',
  title: 'Bind an AMQP queue to an exchange',
  description: 'Messages that the exchange receives with the routing key are put into the queue.',
  input: () =>
    z.object({
      ...connectionProperties(),
      exchange: text().describe('The exchange.'),
      queue: text().describe('The queue.'),
      routingKey: text().optional().describe('The routing key, or its pattern for a topic exchange.'),
      args: argsProperty('binding'),
    }),
  output: () =>
    z.object({
      queue: z.string().describe('The queue.'),
      exchange: z.string().describe('The exchange.'),
    }),
  sideEffects: true,
  examples: [
    taskExample('QueueBind', 'All new orders.', [
      'exchange: orders',
      'queue: new_orders',
      'routingKey: new.#',
    ]),
  ],
  run: (context, input) =>
    withAmqp(context, input, (connection) =>
      withChannel(connection, async (channel) => {
        await channel.bindQueue(input.queue, input.exchange, input.routingKey ?? '', input.args ?? {});
        return { queue: input.queue, exchange: input.exchange };
      }),
    ),
});

export const topologyTasks = [createQueue, declareExchange, queueBind];

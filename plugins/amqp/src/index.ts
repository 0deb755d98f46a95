import type { Family } from '@millrace/plugin-kit';
import { lineIcon } from '@millrace/plugin-kit';
import { consume, publish, realtimeTrigger, trigger } from './messages.ts';
import { topologyTasks } from './topology.ts';

/** Messages, queues and exchanges of RabbitMQ and other AMQP 0-9-1 brokers. */
export const amqpFamily: Family = {
  name: 'amqp',
  groups: [
    {
      group: 'amqp',
      title: 'AMQP',
      description: 'Messages, queues and exchanges of RabbitMQ and other AMQP 0-9-1 brokers.',
      icon: lineIcon('M3 7h5v10H3z', 'M16 4h5v6h-5z', 'M16 14h5v6h-5z', 'M8 10l8-3', 'M8 14l8 3'),
      categories: ['MESSAGING'],
    },
  ],
  types: [publish, consume, trigger, realtimeTrigger, ...topologyTasks],
};

import type { Family } from '@millrace/plugin-kit';
import { lineIcon } from '@millrace/plugin-kit';
import { jmsTypes } from './jms.ts';
import { consume, publish, realtimeTrigger, trigger } from './messages.ts';
import { solaceTypes } from './solace.ts';
import { topologyTasks } from './topology.ts';

/** Messages of brokers over AMQP 0-9-1 (RabbitMQ) and AMQP 1.0 (JMS brokers, Solace). */
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
    {
      group: 'jms',
      title: 'JMS',
      description: 'Queues and topics of JMS brokers that speak AMQP 1.0: ActiveMQ, Artemis, Qpid, Solace.',
      icon: lineIcon('M3 6h18v12H3z', 'M3 7l9 7 9-7'),
      categories: ['MESSAGING'],
    },
    {
      group: 'solace',
      title: 'Solace',
      description: 'Topics and queues of Solace brokers.',
      icon: lineIcon('M12 4a8 8 0 1 1-.01 0', 'M8 12h8', 'M13 9l3 3-3 3'),
      categories: ['MESSAGING'],
    },
  ],
  types: [publish, consume, trigger, realtimeTrigger, ...topologyTasks, ...jmsTypes, ...solaceTypes],
};

import type { Family } from '@millrace/plugin-kit';
import { lineIcon } from '@millrace/plugin-kit';
import { consume, realtimeTrigger, trigger } from './messages.ts';
import { produce } from './produce.ts';
import { pulsarTypes } from './pulsar/pulsar.ts';

/** Messages of Apache Kafka and Apache Pulsar. */
export const kafkaFamily: Family = {
  name: 'kafka',
  groups: [
    {
      group: 'kafka',
      title: 'Kafka',
      description: 'Messages of Apache Kafka.',
      icon: lineIcon(
        'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6',
        'M12 2a2 2 0 1 0 0 4 2 2 0 0 0 0-4',
        'M12 18a2 2 0 1 0 0 4 2 2 0 0 0 0-4',
        'M19 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4',
        'M19 14a2 2 0 1 0 0 4 2 2 0 0 0 0-4',
        'M12 6v3',
        'M12 15v3',
        'M14.6 10.5l2.6-1.5',
        'M14.6 13.5l2.6 1.5',
      ),
      categories: ['MESSAGING'],
    },
    {
      group: 'pulsar',
      title: 'Pulsar',
      description: 'Messages of Apache Pulsar.',
      icon: lineIcon('M3 12h4l3-7 4 14 3-7h4'),
      categories: ['MESSAGING'],
    },
  ],
  types: [produce, consume, trigger, realtimeTrigger, ...pulsarTypes],
};

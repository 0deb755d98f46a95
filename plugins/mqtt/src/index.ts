import type { Family } from '@millrace/plugin-kit';
import { lineIcon } from '@millrace/plugin-kit';
import { publish, realtimeTrigger, subscribe, trigger } from './messages.ts';

/** Messages of MQTT brokers. */
export const mqttFamily: Family = {
  name: 'mqtt',
  groups: [
    {
      group: 'mqtt',
      title: 'MQTT',
      description: 'Messages of MQTT brokers.',
      icon: lineIcon('M4 20v-2', 'M4 13a7 7 0 0 1 7 7', 'M4 8a12 12 0 0 1 12 12', 'M4 3a17 17 0 0 1 17 17'),
      categories: ['MESSAGING'],
    },
  ],
  types: [publish, subscribe, trigger, realtimeTrigger],
};

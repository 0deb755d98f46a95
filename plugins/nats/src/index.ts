import type { Family } from '@millrace/plugin-kit';
import { lineIcon } from '@millrace/plugin-kit';
import { keyValueTasks } from './keyValues.ts';
import { consume, produce, request } from './messages.ts';
import { realtimeTrigger, trigger } from './triggers.ts';

const icon = lineIcon('M4 5h16v11h-7l-4 4v-4H4z', 'M9 13V8l6 5V8');

/** Messages and key-value buckets in NATS. */
export const natsFamily: Family = {
  name: 'nats',
  groups: [
    {
      group: 'nats',
      title: 'NATS',
      description: 'Messages and key-value buckets in NATS.',
      icon,
      categories: ['MESSAGING'],
    },
    {
      group: 'nats.core',
      title: 'NATS messages',
      description: 'Send, receive and request messages, with triggers.',
      icon,
      categories: ['MESSAGING'],
    },
    {
      group: 'nats.kv',
      title: 'NATS key-value',
      description: 'Values in key-value buckets.',
      icon,
      categories: ['MESSAGING'],
    },
  ],
  types: [produce, consume, request, trigger, realtimeTrigger, ...keyValueTasks],
};

import type { Family, Group } from '@millrace/plugin-kit';
import { lineIcon } from '@millrace/plugin-kit';
import { redisCli } from './cli.ts';
import { faktoryPush } from './faktory.ts';
import { jsonTasks } from './json.ts';
import { listTasks } from './lists.ts';
import { listTriggers } from './listTriggers.ts';
import { streamTypes } from './streams.ts';
import { stringTasks } from './strings.ts';
import { vectorTasks } from './vectors.ts';

const layers = ['M4 7l8-4 8 4-8 4z', 'M4 12l8 4 8-4', 'M4 17l8 4 8-4'];
const part = (name: string, title: string, description: string): Group => ({
  group: `redis.${name}`,
  title,
  description,
  icon: lineIcon(...layers),
  categories: ['DATABASE'],
});

/** Values, lists, streams, messages, documents and vectors in Redis. */
export const redisFamily: Family = {
  name: 'redis',
  groups: [
    {
      group: 'redis',
      title: 'Redis',
      description: 'Values, lists, streams, messages, documents and vectors in Redis.',
      icon: lineIcon(...layers),
      categories: ['DATABASE'],
    },
    part('string', 'Redis values', 'Read and write values.'),
    part('list', 'Redis lists', 'Lists as queues, with triggers.'),
    part('stream', 'Redis streams', 'Streams with consumer groups, with triggers.'),
    part('pubsub', 'Redis messages', 'Publish messages.'),
    part('json', 'Redis documents', 'JSON documents.'),
    part('vector', 'Redis vectors', 'Vector sets.'),
    part('cli', 'Redis CLI', 'Commands of redis-cli.'),
    {
      group: 'faktory',
      title: 'Faktory',
      description: 'Jobs for Faktory.',
      icon: lineIcon('M4 20V10l5 3v-3l5 3v-3l6 3v7z', 'M8 17h8'),
      categories: ['MESSAGING'],
    },
  ],
  types: [
    ...stringTasks,
    ...listTasks,
    ...listTriggers,
    ...streamTypes,
    ...jsonTasks,
    ...vectorTasks,
    redisCli,
    faktoryPush,
  ],
};

import type { Family } from '@millrace/plugin-kit';
import { lineIcon } from '@millrace/plugin-kit';
import { cassandraTypes } from './query.ts';

/** Tables in Apache Cassandra and Astra DB. */
export const cassandraFamily: Family = {
  name: 'cassandra',
  groups: [
    {
      group: 'cassandra',
      title: 'Cassandra',
      description: 'Query Apache Cassandra and Astra DB.',
      icon: lineIcon(
        'M2 12c5-8 15-8 20 0-5 8-15 8-20 0',
        'M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6',
        'M12 6V4',
        'M7 7L6 5',
        'M17 7l1-2',
      ),
      categories: ['DATABASE'],
    },
    {
      group: 'cassandra.standard',
      title: 'Apache Cassandra',
      description: 'Query Apache Cassandra.',
      icon: lineIcon(
        'M2 12c5-8 15-8 20 0-5 8-15 8-20 0',
        'M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6',
        'M12 6V4',
        'M7 7L6 5',
        'M17 7l1-2',
      ),
      categories: ['DATABASE'],
    },
    {
      group: 'cassandra.astradb',
      title: 'Astra DB',
      description: 'Query Cassandra tables in Astra DB.',
      icon: lineIcon('M12 3l2.500 6.500L21 12l-6.500 2.500L12 21l-2.500-6.500L3 12l6.500-2.500z'),
      categories: ['DATABASE'],
    },
  ],
  types: cassandraTypes,
};

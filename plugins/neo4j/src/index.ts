import type { Family } from '@millrace/plugin-kit';
import { lineIcon } from '@millrace/plugin-kit';
import { queryTypes } from './query.ts';

/** Graphs in Neo4j. */
export const neo4jFamily: Family = {
  name: 'neo4j',
  groups: [
    {
      group: 'neo4j',
      title: 'Neo4j',
      description: 'Query and load graphs in Neo4j.',
      icon: lineIcon(
        'M6 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4',
        'M18 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4',
        'M9 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4',
        'M8 6.700l8 2.600',
        'M16.500 11.300l-6 5.300',
        'M6.400 8l2 8',
      ),
      categories: ['DATABASE'],
    },
  ],
  types: queryTypes,
};

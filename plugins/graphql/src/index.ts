import { type Family, lineIcon } from '@millrace/plugin-kit';
import { graphqlRequest } from './request.ts';

/** GraphQL over HTTP. */
export const graphqlFamily: Family = {
  name: 'graphql',
  groups: [
    {
      group: 'graphql',
      title: 'GraphQL',
      description: 'Send queries and mutations to a GraphQL server.',
      icon: lineIcon('M12 4l7 4v8l-7 4-7-4V8z', 'M12 4l7 12H5z', 'M12 4h.1', 'M19 16h.1', 'M5 16h.1'),
      categories: ['DATA'],
    },
  ],
  types: [graphqlRequest],
};

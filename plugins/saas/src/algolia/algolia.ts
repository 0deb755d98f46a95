import { mapIn } from '@millrace/plugin-kit';
import { out } from '../rest/outputs.ts';
import { may, need } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';

const algolia = defineService({
  name: 'Algolia',
  prefix: 'algolia',
  properties: {
    applicationId: need.text('The id of the application.'),
    apiKey: need.secret('An API key that may do this.'),
    indexName: need.text('The name of the index.'),
  },
  baseUrl: ({ applicationId }) => `https://${applicationId}.algolia.net/1/indexes`,
  auth: ({ applicationId, apiKey }) => ({
    headers: { 'x-algolia-application-id': applicationId, 'x-algolia-api-key': apiKey },
  }),
  example: { applicationId: 'APP1', apiKey: "{{ secret('ALGOLIA_KEY') }}", indexName: 'products' },
});

const index = algolia.task({
  type: 'Index',
  title: 'Add objects to an index of Algolia',
  description: 'Adds objects, or replaces those with the same `objectID`.',
  properties: { objects: need.maps('The objects.') },
  request: 'POST /{indexName}/batch',
  body: ({ objects }) => ({
    requests: objects.map((body) => ({
      action: body.objectID === undefined ? 'addObject' : 'updateObject',
      body,
    })),
  }),
  output: { result: out.map('The ids and the id of the job, as Algolia returns them.', '') },
  example: { objects: [{ objectID: '1', name: 'Rocket' }] },
});

const remove = algolia.task({
  type: 'Delete',
  title: 'Delete objects of an index of Algolia',
  description: 'Deletes objects by their ids.',
  properties: { objectIds: need.texts('The ids.') },
  request: 'POST /{indexName}/batch',
  body: ({ objectIds }) => ({
    requests: objectIds.map((objectID) => ({ action: 'deleteObject', body: { objectID } })),
  }),
  output: { objectIds: out.texts('The ids that were deleted.', 'objectIDs') },
  example: { objectIds: ['1'] },
});

const search = algolia.task({
  type: 'Search',
  title: 'Search an index of Algolia',
  description: 'Searches with the parameters of Algolia.',
  properties: { params: may.map('The parameters, such as `query`, `filters` and `hitsPerPage`.') },
  request: 'POST /{indexName}/query',
  body: ({ params }) => mapIn(params),
  output: { nbHits: out.integer('How many objects match.'), hits: out.list('The objects.') },
  example: { params: { query: 'rocket', hitsPerPage: 5 } },
});

export const algoliaTypes = [index, remove, search];

import { type Family, type Group, lineIcon } from '@millrace/plugin-kit';
import { couchbaseTypes } from './couchbase/couchbase.ts';
import { influxQueries } from './influxdb/queries.ts';
import { influxWrites } from './influxdb/writes.ts';
import { meilisearchTypes } from './meilisearch/meilisearch.ts';
import { surrealdbTypes } from './surrealdb/surrealdb.ts';
import { typesenseTypes } from './typesense/typesense.ts';
import { weaviateTypes } from './weaviate/weaviate.ts';

const group = (name: string, title: string, description: string, ...paths: string[]): Group => ({
  group: name,
  title,
  description,
  icon: lineIcon(...paths),
  categories: ['DATABASE'],
});

const lens = ['M10 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12', 'M14.500 14.500L20 20'];
const cylinder = ['M5 6c0-4 14-4 14 0s-14 4-14 0', 'M5 6v12c0 4 14 4 14 0V6'];

/** Databases and search engines that are reached over HTTP and need no client library. */
export const databasesFamily: Family = {
  name: 'databases',
  groups: [
    group(
      'influxdb',
      'InfluxDB',
      'Query and write time series in InfluxDB.',
      ...cylinder,
      'M8 14l2-2 2 3 4-4',
    ),
    group(
      'meilisearch',
      'Meilisearch',
      'Add and search documents in Meilisearch.',
      ...lens,
      'M7 12l2-4 1 4 2-4',
    ),
    group('typesense', 'Typesense', 'Add and search documents in Typesense.', ...lens, 'M8 8h4', 'M10 8v4'),
    group(
      'weaviate',
      'Weaviate',
      'Add, query and delete objects in Weaviate.',
      'M4 8l4 8 4-8 4 8 4-8',
      'M4 18h16',
    ),
    group('surrealdb', 'SurrealDB', 'Query SurrealDB.', ...cylinder, 'M9 12h6', 'M9 15h6'),
    group(
      'couchbase',
      'Couchbase',
      'Query Couchbase with SQL++.',
      'M4 13h16v4H4z',
      'M7 13V9',
      'M17 13V9',
      'M7 9h10',
    ),
  ],
  types: [
    ...influxQueries,
    ...influxWrites,
    ...meilisearchTypes,
    ...typesenseTypes,
    ...weaviateTypes,
    ...surrealdbTypes,
    ...couchbaseTypes,
  ],
};

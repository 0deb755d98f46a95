import type { Definition, Family, Group } from '@millrace/plugin-kit';
import { lineIcon } from '@millrace/plugin-kit';
import { defineBulk, defineLoad } from './bulk.ts';
import type { Engine } from './client.ts';
import { defineGet, definePut, defineRequest } from './documents.ts';
import { defineSearchExporter } from './logExporter.ts';
import { esql, ppl } from './queries.ts';
import { defineScroll, defineSearch } from './search.ts';

const typesOf = (engine: Engine): readonly Definition[] => [
  defineSearch(engine),
  defineScroll(engine),
  defineRequest(engine),
  defineGet(engine),
  definePut(engine),
  defineLoad(engine),
  defineBulk(engine),
  defineSearchExporter(engine),
];

const group = ({ name, title }: Engine, ...paths: string[]): Group => ({
  group: name,
  title,
  description: `Search, read and write documents in ${title}.`,
  icon: lineIcon('M10 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12', 'M14.500 14.500L20 20', ...paths),
  categories: ['DATABASE'],
});

const elasticsearch: Engine = { name: 'elasticsearch', title: 'Elasticsearch' };
const opensearch: Engine = { name: 'opensearch', title: 'OpenSearch' };

/** Documents in Elasticsearch and OpenSearch, which speak the same protocol. */
export const elasticsearchFamily: Family = {
  name: 'elasticsearch',
  groups: [group(elasticsearch, 'M7 9h6', 'M7 12h4'), group(opensearch, 'M8 10h4')],
  types: [...typesOf(elasticsearch), esql, ...typesOf(opensearch), ppl],
};

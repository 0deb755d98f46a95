import type { AdditionalDefinition } from '@millrace/plugin-kit';
import { elasticsearch } from './elasticsearch.ts';
import { httpStores } from './httpStores.ts';
import { keyValueStore } from './keyValueStore.ts';
import { milvus } from './milvus.ts';
import { mongodbAtlas } from './mongodbAtlas.ts';
import { pinecone } from './pinecone.ts';
import { redisStore } from './redisStore.ts';
import { sqlStores } from './sqlStores.ts';
import { tablestore } from './tablestore.ts';

export const embeddingStores: readonly AdditionalDefinition[] = [
  keyValueStore,
  ...sqlStores,
  redisStore,
  ...httpStores,
  elasticsearch,
  pinecone,
  milvus,
  mongodbAtlas,
  tablestore,
];

import { startServices, testCalls } from '../testing/exchange.ts';
import { pineconeTypes } from './pinecone.ts';

startServices();

const control = 'https://api.pinecone.io';
const data = 'https://products-1.svc.pinecone.io';
const lookup = { asks: `GET ${control}/indexes/products`, replies: { host: 'products-1.svc.pinecone.io' } };
const match = { id: '1', score: 0.9, metadata: { name: 'chair' } };

testCalls(pineconeTypes, {
  headers: { 'api-key': 'PINECONE_API_KEY', 'x-pinecone-api-version': '2025-01' },
  cases: [
    {
      type: 'pinecone.CreateIndex',
      exchanges: [
        {
          asks: `POST ${control}/indexes`,
          sends: {
            name: 'products',
            dimension: 1536,
            metric: 'cosine',
            spec: { serverless: { cloud: 'aws', region: 'us-east-1' } },
            deletion_protection: 'disabled',
          },
          replies: { name: 'products', host: 'h', status: { state: 'Initializing' } },
        },
      ],
      gives: { name: 'products', host: 'h', status: 'Initializing' },
    },
    {
      type: 'pinecone.DeleteIndex',
      exchanges: [{ asks: `DELETE ${control}/indexes/products`, status: 202 }],
    },
    {
      type: 'pinecone.DescribeIndexStats',
      exchanges: [
        lookup,
        {
          asks: `POST ${data}/describe_index_stats`,
          sends: {},
          replies: { totalVectorCount: 3, namespaces: { a: { vectorCount: 3 } } },
        },
      ],
      gives: { totalVectorCount: 3, namespaceCounts: { a: 3 } },
    },
    {
      type: 'pinecone.FetchVectors',
      exchanges: [
        lookup,
        { asks: `GET ${data}/vectors/fetch?ids=1&ids=2`, replies: { vectors: { 1: { id: '1' } } } },
      ],
      gives: { vectors: { 1: { id: '1' } } },
    },
    {
      type: 'pinecone.DeleteVectors',
      exchanges: [lookup, { asks: `POST ${data}/vectors/delete`, sends: { ids: ['1'] }, replies: {} }],
    },
    {
      type: 'pinecone.Query',
      with: { host: 'localhost:5081', tlsEnabled: false, namespace: 'n' },
      exchanges: [
        {
          asks: 'POST http://localhost:5081/query',
          sends: { topK: 3, vector: [0.1, 0.2], includeValues: false, includeMetadata: true, namespace: 'n' },
          replies: { matches: [match] },
        },
      ],
      gives: { size: 1, rows: [match] },
    },
    {
      type: 'pinecone.Query',
      when: 'without a vector',
      with: { vector: null },
      exchanges: [],
      fails: 'Exactly one of "vector" and "vectorId" must be given',
    },
    {
      type: 'pinecone.Upsert',
      exchanges: [
        lookup,
        {
          asks: `POST ${data}/vectors/upsert`,
          sends: { vectors: [{ id: '1', values: [0.1, 0.2], metadata: { name: 'chair' } }] },
          replies: { upsertedCount: 1 },
        },
      ],
      gives: { upsertedCount: 1 },
    },
  ],
});

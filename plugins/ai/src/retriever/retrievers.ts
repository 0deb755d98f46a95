import {
  type AdditionalDefinition,
  choice,
  decimal,
  defineAdditional,
  integer,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { mapsIn } from '../base/callJson.ts';
import { chatConfiguration } from '../base/chatConfiguration.ts';
import { converse, systemMessages, userMessage } from '../base/converse.ts';
import { embeddingModel, oneTask, openAI } from '../base/example.ts';
import { createProvider, providerProperty } from '../base/modelProvider.ts';
import { runOtherTask } from '../base/otherTask.ts';
import { countStoreCall, providerMetric, storeMetric } from '../base/outputs.ts';
import {
  googleProperties,
  googleSearch,
  maxResultsProperty,
  tavily,
  tavilyProperties,
  type WebSearch,
} from '../base/webSearch.ts';
import { createStore, embedQuery, storeProperty } from '../embeddings/store.ts';
import { type ContentRetriever, retrieverPlace } from './retriever.ts';

const example = (id: string, retriever: string) =>
  oneTask(
    `answer_${id}`,
    'ai.rag.ChatCompletion',
    'Answer with what the retriever finds.',
    `${openAI('chatProvider')}
contentRetrievers:
${retriever.replace(/^/gm, '  ')}
prompt: What is new in PostgreSQL?`,
  );

const retrieverOf = (service: WebSearch, maxResults: number): ContentRetriever => ({
  retrieve: async (query) =>
    (await service.search(query, maxResults)).map(({ title, url, content }) => ({
      content: `${title}\n${content}`,
      metadata: { url, title },
    })),
});

const tavilyRetriever = defineAdditional({
  place: retrieverPlace,
  type: 'ai.retriever.TavilyWebSearch',
  aliases: ['langchain4j.retriever.TavilyWebSearch'],
  title: 'Pages of the web, found with Tavily',
  description: 'Searches the web for the prompt and adds what it finds.',
  input: () => z.object({ ...tavilyProperties(), maxResults: maxResultsProperty() }),
  examples: [
    example(
      'with_tavily',
      `- type: ai.retriever.TavilyWebSearch\n  apiKey: "{{ secret('TAVILY_API_KEY') }}"`,
    ),
  ],
  create: (context, input) => retrieverOf(tavily(context, input), input.maxResults),
});

const googleRetriever = defineAdditional({
  place: retrieverPlace,
  type: 'ai.retriever.GoogleCustomWebSearch',
  aliases: ['langchain4j.retriever.GoogleCustomWebSearch'],
  title: 'Pages of the web, found with Google',
  description: 'Searches the web for the prompt and adds what it finds.',
  input: () => z.object({ ...googleProperties(), maxResults: maxResultsProperty() }),
  examples: [
    example(
      'with_google',
      `- type: ai.retriever.GoogleCustomWebSearch
  apiKey: "{{ secret('GOOGLE_API_KEY') }}"
  csi: "{{ secret('GOOGLE_SEARCH_ENGINE') }}"`,
    ),
  ],
  create: (context, input) => retrieverOf(googleSearch(context, input), input.maxResults),
});

const storeRetriever = defineAdditional({
  place: retrieverPlace,
  type: 'ai.retriever.EmbeddingStoreRetriever',
  title: 'Texts of an embedding store',
  description: 'Adds the texts of a store that are closest to the prompt.',
  input: () =>
    z.object({
      embeddings: storeProperty(),
      embeddingProvider: providerProperty(),
      maxResults: maxResultsProperty(),
      minScore: decimal().default(0).describe('The lowest score of a text, from 0 to 1.'),
    }),
  metrics: [providerMetric, storeMetric],
  examples: [
    example(
      'with_store',
      `- type: ai.retriever.EmbeddingStoreRetriever
  embeddings:
    type: ai.embeddings.KestraKVStore
    kvName: documents
${embeddingModel('embeddingProvider').replace(/^/gm, '  ')}`,
    ),
  ],
  create: (context, input): ContentRetriever => ({
    retrieve: (query) => searchStore(context, input, query),
  }),
});

interface StoreSearch {
  readonly embeddings: Readonly<Record<string, unknown>>;
  readonly embeddingProvider: Readonly<Record<string, unknown>>;
  readonly maxResults: number;
  readonly minScore: number;
}

/** The texts of a store that are closest to a query. */
export async function searchStore(
  context: TaskContext,
  { embeddings, embeddingProvider, maxResults, minScore }: StoreSearch,
  query: string,
) {
  const provider = await createProvider(context, embeddingProvider);
  const vector = await embedQuery(context, provider, query);
  const store = await createStore(context, embeddings);
  countStoreCall(context, store.name);
  const found = await store.search(vector, maxResults, minScore);
  return found.map(({ text: content, metadata, score }) => ({ content, metadata: { ...metadata, score } }));
}

const schemas = {
  POSTGRESQL: {
    task: 'jdbc.postgresql.Query',
    sql: `SELECT table_schema, table_name, column_name, data_type FROM information_schema.columns
          WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1, 2, ordinal_position`,
  },
  MYSQL: {
    task: 'jdbc.mysql.Query',
    sql: `SELECT table_schema AS table_schema, table_name AS table_name, column_name AS column_name, data_type AS data_type
          FROM information_schema.columns WHERE table_schema = database() ORDER BY 1, 2, ordinal_position`,
  },
} as const;

const maxRows = 100;

const sqlRetriever = defineAdditional({
  place: retrieverPlace,
  type: 'ai.retriever.SqlDatabaseRetriever',
  title: 'Rows of a database, found with SQL that a model writes',
  description: `A model reads which tables there are and writes one query for the prompt; the rows that it returns are added. The
query must begin with SELECT or WITH. Give the user of the connection the right to read and no other: a model can be talked
into anything. H2 is a database of Java and not available.`,
  input: () =>
    z.object({
      databaseType: choice(['POSTGRESQL', 'MYSQL', 'H2']).describe('The kind of database.'),
      jdbcUrl: text().optional().describe('The database, such as `jdbc:postgresql://host:5432/shop`.'),
      username: text().describe('The user.'),
      password: text().describe('The password.'),
      driver: text().optional().describe('Accepted for compatibility.'),
      maxPoolSize: integer({ min: 1 }).default(2).describe('Accepted for compatibility.'),
      provider: providerProperty(),
      configuration: chatConfiguration(),
    }),
  metrics: [providerMetric],
  examples: [
    example(
      'with_sql',
      `- type: ai.retriever.SqlDatabaseRetriever
  databaseType: POSTGRESQL
  jdbcUrl: jdbc:postgresql://db.example.com:5432/shop
  username: reader
  password: "{{ secret('DB_PASSWORD') }}"
${openAI().replace(/^/gm, '  ')}`,
    ),
  ],
  create: (context, input): ContentRetriever => ({
    async retrieve(query) {
      const { databaseType, jdbcUrl, username, password, configuration } = input;
      if (databaseType === 'H2')
        throw new TaskFailed('H2 is a database of Java and cannot be used here.', { retry: false });
      if (jdbcUrl === undefined) throw new TaskFailed('"jdbcUrl" must be given.', { retry: false });
      const { task, sql: schemaSql } = schemas[databaseType];
      const ask = async (sql: string) => {
        const connection = { url: jdbcUrl, username, password };
        const { rows } = await runOtherTask(context, task, { ...connection, sql, fetchType: 'FETCH' });
        return mapsIn(rows);
      };
      const provider = await createProvider(context, input.provider);
      const { text: response } = await converse(context, {
        provider,
        configuration,
        messages: [
          ...systemMessages(
            `You write one ${databaseType} query that finds what is needed to answer the user. Respond with the SQL only. Return at most ${maxRows} rows. Tables:\n${describeTables(await ask(schemaSql))}`,
          ),
          userMessage(query),
        ],
      });
      const sql = readSql(response);
      await context.log('INFO', `Query of the model: ${sql}`);
      const rows = (await ask(sql)).slice(0, maxRows);
      return [{ content: `Result of ${sql}:\n${JSON.stringify(rows)}`, metadata: { sql } }];
    },
  }),
});

function describeTables(columns: readonly Readonly<Record<string, unknown>>[]): string {
  const tables = new Map<string, string[]>();
  for (const { table_schema: schema, table_name: table, column_name: column, data_type: type } of columns) {
    const name = `${schema}.${table}`;
    tables.set(name, [...(tables.get(name) ?? []), `${column} ${type}`]);
  }
  return [...tables].map(([name, all]) => `${name}(${all.join(', ')})`).join('\n');
}

/** The single statement in a response, which must be read-only. */
export function readSql(response: string): string {
  const fenced = /```(?:sql)?\s*\n([\s\S]*?)```/.exec(response);
  const sql = (fenced?.[1] ?? response).trim().replace(/;\s*$/, '');
  if (/^(select|with)\b/i.test(sql) && !sql.includes(';')) return sql;
  throw new TaskFailed(`The model did not write one SELECT: ${response.slice(0, 300)}`);
}

export const retrievers: readonly AdditionalDefinition[] = [
  tavilyRetriever,
  googleRetriever,
  storeRetriever,
  sqlRetriever,
];

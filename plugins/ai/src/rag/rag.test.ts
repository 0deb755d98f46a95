import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jdbcFamily } from '@millrace/plugin-jdbc';
import type { TaskDefinition, TaskFailed } from '@millrace/plugin-kit';
import { type RunningServer, runType, startRealServer } from '@millrace/plugin-kit/testing';
import { createTestDatabase } from '@millrace/store/suite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aiAgent } from '../agent/aiAgent.ts';
import { readSql } from '../retriever/retrievers.ts';
import { anAiContext } from '../testing/aiContext.ts';
import { ModelServer } from '../testing/modelServer.ts';
import { ragTasks, texts } from '../testing/ragTasks.ts';
import { StoreServer } from '../testing/storeServer.ts';
import { ragChatCompletion } from './chatCompletion.ts';
import { splitDocument } from './splitDocument.ts';

type Data = Record<string, unknown>;

const model = new ModelServer();
const stores = new StoreServer();
let redis: RunningServer;
beforeAll(async () => {
  [redis] = await Promise.all([
    startRealServer({ program: 'redis-server', args: ({ port }) => ['--port', String(port), '--save', ''] }),
    model.start(),
    stores.start(),
  ]);
});
afterAll(() => Promise.all([redis.stop(), model.stop(), stores.stop()]));

const { provider, ingest, search } = ragTasks(model);
const kv = { type: 'ai.embeddings.KestraKVStore' };
const failureOf = (running: Promise<unknown>): Promise<TaskFailed> =>
  running.then(
    () => Promise.reject(new Error('It did not fail.')),
    (error: TaskFailed) => error,
  );

describe('documents', () => {
  test('of every source are stored, and the closest one is found', async () => {
    const context = anAiContext();
    const folder = await context.workingDirectory();
    await mkdir(join(folder, 'docs', 'deep'), { recursive: true });
    await writeFile(join(folder, 'docs', 'deep', 'a.md'), texts[1] ?? '');
    await writeFile(join(folder, 'other.md'), 'Not meant.');
    const outputs = await ingest(
      {
        fromPath: 'docs',
        fromInternalURIs: [await context.files.put('b.txt', texts[2] ?? '')],
        fromExternalURLs: [`${stores.url}/page`],
        fromDocuments: [{ content: texts[0], metadata: { author: 'Ada' } }],
        metadata: { team: 'office' },
        bulkSize: 2,
      },
      context,
    );
    expect(outputs).toEqual({
      ingestedDocuments: 4,
      inputTokenCount: 12,
      outputTokenCount: 0,
      totalTokenCount: 12,
      embeddingStoreOutputs: { kvName: 'a_flow-embedding-store' },
    });
    expect(context.metrics).toContainEqual({ name: 'indexed.documents', type: 'counter', value: 4 });
    expect(await search({}, context)).toEqual({ results: [texts[0]], size: 1 });
    const all = await search({ maxResults: 9 }, context);
    expect(all.results).toHaveLength(4);
    expect(all.results).toContain('A page of the web.');
  });

  test('are cut into segments', async () => {
    const context = anAiContext();
    await ingest(
      {
        fromDocuments: [{ content: texts.join('\n\n') }],
        documentSplitter: { splitter: 'PARAGRAPH', maxSegmentSizeInChars: 60, maxOverlapSizeInChars: 0 },
      },
      context,
    );
    expect((await search({ maxResults: 9 }, context)).results).toHaveLength(3);
  });

  test('replace those that were there when asked to', async () => {
    const context = anAiContext();
    await ingest({ fromDocuments: [{ content: 'old' }] }, context);
    await ingest({ fromDocuments: [{ content: 'new' }], drop: true }, context);
    expect((await search({ maxResults: 9 }, context)).results).toEqual(['new']);
  });

  test('must be given', async () => {
    expect((await failureOf(ingest({}))).message).toContain('There is no document');
  });
});

test.each([
  ['FETCH_ONE', { results: [texts[0]], size: 1 }],
  ['NONE', { size: 3 }],
])('a search with %s', async (fetchType, expected) => {
  const context = anAiContext();
  await ingest({ fromDocuments: texts.map((content) => ({ content })) }, context);
  expect(await search({ fetchType, maxResults: 3 }, context)).toEqual(expected);
  const { uri, size } = await search({ fetchType: 'STORE', maxResults: 2 }, context);
  expect(size).toBe(2);
  expect((await context.files.text(String(uri))).trim().split('\n')).toHaveLength(2);
  expect(await search({ minScore: 0.99 }, context)).toMatchObject({ size: 0 });
});

describe('a question about documents', () => {
  test('is answered with the texts that were found, which are its sources', async () => {
    const context = anAiContext();
    await ingest(
      { fromDocuments: [{ content: texts[0], metadata: { author: 'Ada' } }, { content: texts[1] }] },
      context,
    );
    model.play([{ text: 'At nine.' }]);
    const outputs = await runType(
      ragChatCompletion,
      {
        chatProvider: provider(),
        embeddings: kv,
        contentRetrieverConfiguration: { maxResults: 1 },
        prompt: 'When does the office open?',
        memory: { type: 'ai.memory.KestraKVStore' },
      },
      context,
    );
    expect(outputs).toMatchObject({
      textOutput: 'At nine.',
      completion: 'At nine.',
      sources: [{ content: texts[0], metadata: { author: 'Ada', score: expect.any(Number) } }],
    });
    const [, request] = model.bodies;
    expect(JSON.stringify(request?.messages)).toContain(
      `When does the office open?\\n\\nAnswer using the following information:\\n${texts[0]}`,
    );
    // The memory keeps the question, not the retrieved content.
    expect(JSON.stringify([...(context.kv.byNamespace.get('company.team') ?? [])])).not.toContain(
      'Answer using',
    );
  });

  test('may be asked with the texts that retrievers find in stores', async () => {
    const context = anAiContext();
    const embeddings = { type: 'ai.embeddings.KestraKVStore', kvName: 'handbook' };
    await ingest({ embeddings, fromDocuments: texts.map((content) => ({ content })) }, context);
    const retrieverOf = (properties: Data) => ({
      type: 'ai.retriever.EmbeddingStoreRetriever',
      embeddings,
      embeddingProvider: { ...provider(), modelName: 'embedding-model' },
      ...properties,
    });
    const prompt = 'Is the office in Paris open?';
    const ask = async (properties: Data, task: TaskDefinition = aiAgent, providerName = 'provider') => {
      model.play([{ text: 'At nine.' }]);
      const contentRetrievers = [retrieverOf(properties)];
      const outputs = await runType(task, { [providerName]: provider(), prompt, contentRetrievers }, context);
      expect(outputs.textOutput).toBe('At nine.');
      return { outputs, requests: model.bodies };
    };
    const { requests } = await ask({ maxResults: 1 });
    // The model of the retriever embeds the prompt, and the other model gets the text that is closest to it.
    expect(requests[0]).toMatchObject({ model: 'embedding-model', input: [prompt] });
    expect(requests[1]).toMatchObject({
      model: 'm',
      messages: [{ content: `${prompt}\n\nAnswer using the following information:\n${texts[0]}` }],
    });
    expect(context.metrics).toContainEqual(
      expect.objectContaining({ name: 'ai.embedding.store.calls', value: 1 }),
    );
    const all = JSON.stringify((await ask({})).requests[1]);
    for (const text of texts) expect(all).toContain(text);
    expect(JSON.stringify((await ask({ minScore: 0.99 })).requests[1])).not.toContain('Answer using');
    expect((await ask({ maxResults: 1 }, ragChatCompletion, 'chatProvider')).outputs.sources).toEqual([
      { content: texts[0], metadata: { score: expect.any(Number) } },
    ]);
  });

  test('may use the web', async () => {
    const context = anAiContext({
      redirect: {
        'https://api.tavily.com': `${stores.url}/tavily`,
        'https://www.googleapis.com': `${stores.url}/google`,
      },
    });
    model.play([{ text: 'Yes' }]);
    const { sources } = await runType(
      ragChatCompletion,
      {
        chatProvider: provider(),
        contentRetrievers: [
          { type: 'langchain4j.retriever.TavilyWebSearch', apiKey: 'tavily-key', maxResults: 2 },
          { type: 'ai.retriever.GoogleCustomWebSearch', apiKey: 'google-key', csi: 'engine' },
        ],
        prompt: 'Is it so?',
      },
      context,
    );
    expect(sources).toEqual([
      { content: 'Tavily\nabout Is it so?', metadata: { url: 'https://t', title: 'Tavily' } },
      { content: 'Google\nabout Is it so?', metadata: { url: 'https://g', title: 'Google' } },
    ]);
  });

  test('needs somewhere to look', async () => {
    const failure = await failureOf(
      runType(ragChatCompletion, { chatProvider: provider(), prompt: 'x' }, anAiContext()),
    );
    expect(failure.message).toContain('"embeddings" or "contentRetrievers" must be given');
  });
});

describe('memories in other servers', () => {
  const chat = async (memory: Data, prompt: string, context: ReturnType<typeof anAiContext>) => {
    await runType(aiAgent, { provider: provider(), prompt, memory }, context);
    return ((model.bodies.at(-1)?.messages ?? []) as { content: string }[]).map(({ content }) => content);
  };

  test('Redis', async () => {
    model.play(() => ({ text: 'ok' }));
    const context = anAiContext();
    const memory = { type: 'ai.memory.Redis', host: '127.0.0.1', port: redis.port, memoryId: 'chat' };
    await chat(memory, 'one', context);
    expect(await chat(memory, 'two', context)).toEqual(['one', 'ok', 'two']);
    await chat({ ...memory, drop: 'AFTER_TASKRUN' }, 'three', context);
    expect(await chat(memory, 'four', context)).toEqual(['four']);
  });

  test('PostgreSQL, whose rows a model can also be asked about', async () => {
    const database = await createTestDatabase();
    try {
      const { hostname: host, port, pathname, username, password } = new URL(database.url);
      const login = { user: decodeURIComponent(username), password: decodeURIComponent(password) };
      const context = anAiContext({ types: jdbcFamily.types });
      const memory = { type: 'ai.memory.PostgreSQL', host, port, database: pathname.slice(1), ...login };
      model.play(() => ({ text: "it's {{ ok }}" }));
      await chat(memory, 'one', context);
      expect(await chat(memory, 'two', context)).toEqual(['one', "it's {{ ok }}", 'two']);

      model.play([{ text: '```sql\nSELECT memory_id FROM chat_memory;\n```' }, { text: 'One chat.' }]);
      const { sources } = await runType(
        ragChatCompletion,
        {
          chatProvider: provider(),
          prompt: 'Which chats are there?',
          contentRetrievers: [
            {
              type: 'ai.retriever.SqlDatabaseRetriever',
              databaseType: 'POSTGRESQL',
              jdbcUrl: `jdbc:postgresql://${host}:${port}${pathname}`,
              username: login.user,
              password: login.password,
              provider: provider(),
            },
          ],
        },
        context,
      );
      expect(JSON.stringify(model.bodies[0]?.messages)).toContain('public.chat_memory(memory_id text');
      expect(JSON.stringify(sources)).toContain('correlation1');
    } finally {
      await database.drop();
    }
  });
});

test.each(['DELETE FROM orders', 'SELECT 1; DROP TABLE orders', 'I cannot do that'])(
  'SQL of a model that is not one SELECT is refused: %s',
  (sql) => {
    expect(() => readSql(sql)).toThrow('did not write one SELECT');
  },
);

describe('a text is cut', () => {
  const cut = (splitter: 'RECURSIVE' | 'WORD' | 'SENTENCE', size: number, overlap: number, text: string) =>
    splitDocument(text, { splitter, maxSegmentSizeInChars: size, maxOverlapSizeInChars: overlap });

  test('at paragraphs, and finer only where it must', () => {
    expect(cut('RECURSIVE', 20, 0, 'One two.\n\nThree four. Five six seven.\n\nEight')).toEqual([
      'One two.',
      'Three four.',
      'Five six seven.',
      'Eight',
    ]);
  });

  test('with an overlap of whole pieces', () => {
    expect(cut('WORD', 11, 4, 'aaa bbb ccc ddd eee')).toEqual(['aaa bbb ccc', 'ccc ddd eee']);
  });

  test('inside of a word that is too long', () => {
    expect(cut('SENTENCE', 4, 1, 'abcdefgh')).toEqual(['abcd', 'defg', 'gh']);
  });

  test('never into pieces that are too long, and nothing is lost', () => {
    const text = Array.from(
      { length: 300 },
      (_, index) => `word${index}${index % 7 === 0 ? '.\n' : ' '}`,
    ).join('');
    const segments = cut('RECURSIVE', 50, 10, text);
    expect(Math.max(...segments.map(({ length }) => length))).toBeLessThanOrEqual(50);
    for (let index = 0; index < 300; index++) expect(segments.join(' ')).toContain(`word${index}`);
  });
});

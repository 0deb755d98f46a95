import { type AdditionalDefinition, defineAdditional, integer, TaskFailed, text } from '@millrace/plugin-kit';
import { withRedis } from '@millrace/plugin-redis/client';
import { z } from 'zod';
import { mapIn } from '../base/callJson.ts';
import { oneTask, openAI } from '../base/example.ts';
import { runOtherTask } from '../base/otherTask.ts';
import { type MemoryStore, memoryPlace, memoryProperties, openMemory } from './memory.ts';

const example = (id: string, memory: string) =>
  oneTask(
    `chat_${id}`,
    'ai.agent.AIAgent',
    'An agent that remembers what was said.',
    `${openAI()}
prompt: "{{ inputs.question ?? 'Who are you?' }}"
memory:
${memory.replace(/^/gm, '  ')}`,
  );

const keyValueMemory = defineAdditional({
  place: memoryPlace,
  type: 'ai.memory.KestraKVStore',
  aliases: ['ai.memory.KestraKVMemory', 'langchain4j.memory.KestraKVMemory'],
  title: 'A memory in the key-value store',
  description:
    'Keeps the messages as JSON in the key-value store of the namespace, under `memoryId` as the key.',
  input: () => z.object(memoryProperties()),
  examples: [
    example(
      'with_memory',
      'type: ai.memory.KestraKVStore\nmemoryId: "chat-{{ inputs.user ?? \'ada\' }}"\nttl: P1D',
    ),
  ],
  create: (context, input) => {
    const { namespace } = context.run;
    const store: MemoryStore = {
      read: async (id) => {
        const value = await context.kv.get(keyOf(id), namespace);
        if (value === undefined) return undefined;
        return typeof value === 'string' ? value : JSON.stringify(value);
      },
      write: (id, json, ttlMs) =>
        context.kv.set(keyOf(id), JSON.parse(json), { namespace, overwrite: true, type: 'JSON', ttlMs }),
      remove: async (id) => void (await context.kv.delete(keyOf(id), namespace)),
    };
    return openMemory(context, input, store);
  },
});

/** Keys allow only letters, digits, `.`, `_` and `-`. */
const keyOf = (id: string): string => id.replace(/[^a-zA-Z0-9._-]/g, '_');

const tableName = /^[a-zA-Z_][a-zA-Z0-9_]*(\.[a-zA-Z_][a-zA-Z0-9_]*)?$/;

const postgresMemory = defineAdditional({
  place: memoryPlace,
  type: 'ai.memory.PostgreSQL',
  title: 'A memory in PostgreSQL',
  description: 'Keeps the messages as JSON in a table, which is created when it is missing.',
  input: () =>
    z.object({
      ...memoryProperties(),
      host: text().describe('The server.'),
      port: integer({ min: 1, max: 65_535 }).default(5432).describe('Its port.'),
      database: text().describe('The database.'),
      user: text().describe('The user.'),
      password: text().describe('The password.'),
      tableName: text().default('chat_memory').describe('The table.'),
    }),
  examples: [
    example(
      'in_postgres',
      `type: ai.memory.PostgreSQL
host: db.example.com
database: chats
user: agent
password: "{{ secret('DB_PASSWORD') }}"`,
    ),
  ],
  create: async (context, { host, port, database, user, password, tableName: table, ...input }) => {
    if (!tableName.test(table))
      throw new TaskFailed(`"tableName" must be a plain name, got "${table}".`, { retry: false });
    const connection = {
      url: `jdbc:postgresql://${host}:${port}/${database}`,
      username: user,
      password,
    };
    const query = (sql: string, parameters: Readonly<Record<string, unknown>> = {}, fetchType = 'NONE') =>
      runOtherTask(context, 'jdbc.postgresql.Query', { ...connection, sql, parameters, fetchType });
    await query(
      `CREATE TABLE IF NOT EXISTS ${table} (memory_id text PRIMARY KEY, memory_json text NOT NULL, expires_at timestamptz)`,
    );
    return openMemory(context, input, {
      read: async (id) => {
        const { row } = await query(
          `SELECT memory_json FROM ${table} WHERE memory_id = :id AND (expires_at IS NULL OR expires_at > now())`,
          { id },
          'FETCH_ONE',
        );
        const { memory_json: json } = mapIn(row);
        return typeof json === 'string' ? json : undefined;
      },
      write: async (id, json, ttlMs) =>
        void (await query(
          `INSERT INTO ${table} (memory_id, memory_json, expires_at)
           VALUES (:id, :json, now() + :ttl * interval '1 millisecond')
           ON CONFLICT (memory_id) DO UPDATE SET memory_json = excluded.memory_json, expires_at = excluded.expires_at`,
          { id, json, ttl: ttlMs },
        )),
      remove: async (id) => void (await query(`DELETE FROM ${table} WHERE memory_id = :id`, { id })),
    });
  },
});

const redisMemory = defineAdditional({
  place: memoryPlace,
  type: 'ai.memory.Redis',
  title: 'A memory in Redis',
  description: 'Keeps the messages as JSON in Redis, under `memoryId` as the key.',
  input: () =>
    z.object({
      ...memoryProperties(),
      host: text().describe('The server.'),
      port: integer({ min: 1, max: 65_535 }).default(6379).describe('Its port.'),
    }),
  examples: [example('in_redis', 'type: ai.memory.Redis\nhost: redis.example.com')],
  create: (context, { host, port, ...input }) => {
    const url = `redis://${host.includes(':') ? `[${host}]` : host}:${port}/0`;
    return openMemory(context, input, {
      read: (id) => withRedis(context, url, async (redis) => (await redis.get(id)) ?? undefined),
      write: (id, json, ttlMs) =>
        withRedis(context, url, async (redis) => void (await redis.set(id, json, 'PX', ttlMs))),
      remove: (id) => withRedis(context, url, async (redis) => void (await redis.del(id))),
    });
  },
});

export const memories: readonly AdditionalDefinition[] = [keyValueMemory, postgresMemory, redisMemory];

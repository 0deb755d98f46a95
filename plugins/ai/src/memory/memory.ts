import type { LanguageModelV3Message } from '@ai-sdk/provider';
import {
  aPart,
  choice,
  createPart,
  duration,
  integer,
  type Properties,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';

export const memoryPlace = 'MemoryProvider';

type Message = LanguageModelV3Message;

/** Where a memory keeps the text of its messages. */
export interface MemoryStore {
  read(memoryId: string): Promise<string | undefined>;
  write(memoryId: string, json: string, ttlMs: number): Promise<void>;
  remove(memoryId: string): Promise<void>;
}

export interface Memory {
  /** The earlier messages, oldest first. */
  load(): Promise<readonly Message[]>;
  /** Stores the last of the loaded and added messages. */
  save(messages: readonly Message[]): Promise<void>;
}

export const memoryProperty = () =>
  aPart(memoryPlace)
    .optional()
    .describe('Remembers the conversation, so that a later task or execution can continue it.');

export const memoryProperties = () => ({
  messages: integer({ min: 1 }).default(10).describe('How many messages are remembered.'),
  ttl: duration().prefault('PT1H').describe('How long they are remembered after the last one.'),
  memoryId: text()
    .optional()
    .describe(
      'The name of the conversation. By default `{{ labels.system.correlationId }}`: all executions that belong together share it.',
    ),
  drop: choice(['NEVER', 'BEFORE_TASKRUN', 'AFTER_TASKRUN'])
    .default('NEVER')
    .describe('When the memory is emptied: never, before the task runs or after it.'),
});

interface MemoryInput {
  readonly messages: number;
  readonly ttl: number;
  readonly memoryId?: string | undefined;
  readonly drop: 'NEVER' | 'BEFORE_TASKRUN' | 'AFTER_TASKRUN';
}

/** A memory on a store. */
export async function openMemory(
  context: TaskContext,
  { messages: limit, ttl, memoryId, drop }: MemoryInput,
  store: MemoryStore,
): Promise<Memory> {
  const id = memoryId ?? String(await context.render('{{ labels.system.correlationId ?? execution.id }}'));
  return {
    async load() {
      if (drop === 'BEFORE_TASKRUN') await store.remove(id);
      const json = drop === 'BEFORE_TASKRUN' ? undefined : await store.read(id);
      return json === undefined ? [] : readMessages(json, id);
    },
    async save(messages) {
      if (drop === 'AFTER_TASKRUN') return store.remove(id);
      return store.write(id, JSON.stringify(lastMessages(messages, limit)), ttl);
    },
  };
}

function readMessages(json: string, id: string): Message[] {
  try {
    const value: unknown = JSON.parse(json);
    if (Array.isArray(value)) return value;
  } catch {
    // Reported below.
  }
  throw new TaskFailed(`The memory "${id}" holds no messages; choose another "memoryId" or delete it.`, {
    retry: false,
  });
}

/**
 * The last messages without system messages. They start with a user message, because services reject a tool
 * result without its tool call.
 */
export function lastMessages(messages: readonly Message[], limit: number): readonly Message[] {
  const said = messages.filter(({ role }) => role !== 'system').slice(-limit);
  const start = said.findIndex(({ role }) => role === 'user');
  return start === -1 ? [] : said.slice(start);
}

/** Runs a conversation with the stored messages and stores the new ones. Without a memory it only runs. */
export async function withMemory<T extends { readonly added: readonly Message[] }>(
  context: TaskContext,
  written: Properties | undefined,
  asked: Message,
  work: (history: readonly Message[]) => Promise<T>,
): Promise<T> {
  if (!written) return work([]);
  const memory = await createPart<Memory>(context, memoryPlace, written, { isRendered: true });
  const history = await memory.load();
  const outcome = await work(history);
  await memory.save([...history, asked, ...outcome.added]);
  return outcome;
}

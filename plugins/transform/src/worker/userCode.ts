import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { TaskFailed } from '@millrace/plugin-kit';
import { workerUrl } from './workerUrl.ts';

export interface Answer {
  readonly value?: string | undefined;
  readonly error?: string;
}

/** The code that the process runs. */
export type Code =
  | { readonly kind: 'jsonata'; readonly expression: string; readonly maxDepth: number }
  | { readonly kind: 'grok'; readonly sources: readonly string[]; readonly flags: string };

const maxMemoryMb = 256;

/**
 * Runs a user's code in a process with limited time and memory, and always ends it. A thread is not enough:
 * V8 ends the whole process when a thread runs out of memory.
 */
export async function withUserCode<T>(
  code: Code,
  options: { readonly signal: AbortSignal; readonly batchTimeoutMs?: number },
  use: (evaluate: (texts: readonly string[]) => Promise<readonly Answer[]>) => Promise<T>,
): Promise<T> {
  const { signal, batchTimeoutMs = 30_000 } = options;
  signal.throwIfAborted();
  const child = fork(fileURLToPath(workerUrl()), [], {
    execArgv: [`--max-old-space-size=${maxMemoryMb}`],
    // User code must not see the server's environment.
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const stop = () => void child.kill('SIGKILL');
  signal.addEventListener('abort', stop, { once: true });
  try {
    child.send(code, () => undefined);
    return await use((texts) => ask(child, texts, batchTimeoutMs, signal));
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

function ask(
  child: ChildProcess,
  texts: readonly string[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<readonly Answer[]> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      child.off('message', onMessage).off('error', onError).off('exit', onExit);
      settle();
    };
    const fail = (message: string) =>
      end(() => reject(signal.aborted ? signal.reason : new TaskFailed(message, { retry: false })));
    // `as`: the process sends no other messages.
    const onMessage = (answers: unknown) => end(() => resolve(answers as readonly Answer[]));
    const onError = (error: Error) => fail(`The process of the expression failed: ${error.message}`);
    const onExit = () => fail(`The expression needs more than ${maxMemoryMb} MB of memory and was stopped.`);
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail(`The expression took longer than ${timeoutMs / 1000} s and was stopped.`);
    }, timeoutMs);
    child.on('message', onMessage).on('error', onError).on('exit', onExit);
    if (child.connected) child.send(texts, () => undefined);
    else onExit();
  });
}

/** Evaluates texts in batches, in their order. */
export async function* evaluateAll<T>(
  items: AsyncIterable<T>,
  toText: (item: T) => string,
  evaluate: (texts: readonly string[]) => Promise<readonly Answer[]>,
): AsyncGenerator<Answer> {
  let batch: string[] = [];
  let length = 0;
  for await (const item of items) {
    const text = toText(item);
    batch.push(text);
    length += text.length;
    if (batch.length < 200 && length < 1_000_000) continue;
    yield* await evaluate(batch);
    batch = [];
    length = 0;
  }
  if (batch.length > 0) yield* await evaluate(batch);
}

import type { LanguageService } from './languageService.ts';

/** One call of the service, as it is sent to the worker. */
export interface Call {
  readonly id: number;
  readonly method: keyof LanguageService;
  readonly args: readonly unknown[];
}

export type Result =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string };

/** The service with every method as a promise. */
export type LanguageClient = {
  readonly [Method in keyof LanguageService]: (
    ...args: Parameters<LanguageService[Method]>
  ) => Promise<ReturnType<LanguageService[Method]>>;
};

const methods = [
  'setContext',
  'check',
  'complete',
  'completeTemplate',
  'setExecution',
  'completeInExecution',
  'signature',
  'required',
  'hover',
  'symbol',
  'rename',
  'fixes',
  'outline',
  'format',
] as const satisfies readonly (keyof LanguageService)[];

type Send = (method: keyof LanguageService, args: readonly unknown[]) => Promise<unknown>;

let connection: Send | undefined;

/** All editors share one service, which starts with the first call and gets the context of the latest editor. */
const send: Send = (method, args) => {
  connection ??= typeof Worker === 'undefined' ? inPage() : inWorker();
  return connection(method, args);
};

const calls = methods.map((method) => [method, (...args: unknown[]) => send(method, args)] as const);

/** The language service: in a worker, or in the page where there are none, as in tests. */
// `as`: every method of the service is listed above, and both ends share its types.
export const language = Object.fromEntries(calls) as unknown as LanguageClient;

function inPage(): Send {
  const service = import('./languageService.ts').then(({ createLanguageService }) => createLanguageService());
  return async (method, args) => {
    const call = (await service)[method] as (...given: unknown[]) => unknown; // As in the worker.
    return call(...args);
  };
}

function inWorker(): Send {
  const worker = new Worker(new URL('./language.worker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, { resolve(value: unknown): void; reject(reason: Error): void }>();
  let sent = 0;
  worker.addEventListener('message', ({ data }: MessageEvent<Result>) => {
    const call = waiting.get(data.id);
    waiting.delete(data.id);
    if ('error' in data) call?.reject(new Error(data.error));
    else call?.resolve(data.value);
  });
  return (method, args) =>
    new Promise((resolve, reject) => {
      sent += 1;
      waiting.set(sent, { resolve, reject });
      worker.postMessage({ id: sent, method, args } satisfies Call);
    });
}

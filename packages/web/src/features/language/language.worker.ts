import type { Call, Result } from './languageClient.ts';
import { createLanguageService } from './languageService.ts';

const service = createLanguageService();

addEventListener('message', ({ data }: MessageEvent<Call>) => {
  // `as`: the client has checked the arguments of the method.
  const method = service[data.method] as (...args: unknown[]) => unknown;
  try {
    postMessage({ id: data.id, value: method(...data.args) } satisfies Result);
  } catch (error) {
    postMessage({ id: data.id, error: String(error) } satisfies Result);
  }
});

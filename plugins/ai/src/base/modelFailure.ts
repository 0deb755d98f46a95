import { setTimeout as delay } from 'node:timers/promises';
import { messageOf, type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import { mapIn, textIn } from './callJson.ts';

const maxTries = 3;
const longestWaitMs = 60_000;

/** The fields of an AI SDK error that describe the service's response. */
interface CallError extends Error {
  readonly statusCode?: number;
  readonly responseBody?: string;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly isRetryable: boolean;
}

const isCallError = (error: unknown): error is CallError => error instanceof Error && 'isRetryable' in error;

/** Calls a model. A service that limits requests or is overloaded is called again, up to three times in total. */
export async function callModel<T>(
  context: TaskContext,
  name: string,
  call: () => PromiseLike<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      context.signal.throwIfAborted();
      const waitMs = tries < maxTries ? waitBefore(error, tries) : undefined;
      if (waitMs === undefined) throw explain(error, name, context);
      await context.log(
        'WARN',
        `${name} responded with status ${String((error as CallError).statusCode)}; trying again in ${waitMs / 1000} s.`,
      );
      await delay(waitMs, undefined, { signal: context.signal });
    }
  }
}

/** How long to wait before the next try; undefined when there should be none. */
function waitBefore(error: unknown, tries: number): number | undefined {
  if (!isCallError(error) || error.statusCode === undefined || !isTemporary(error.statusCode))
    return undefined;
  const asked = Number(error.responseHeaders?.['retry-after']);
  const waitMs = Number.isFinite(asked) ? asked * 1000 : 1000 * 2 ** (tries - 1);
  return waitMs <= longestWaitMs ? waitMs : undefined;
}

const isTemporary = (status: number): boolean => status === 408 || status === 429 || status >= 500;

function explain(error: unknown, name: string, { masker }: TaskContext): Error {
  if (error instanceof TaskFailed) return error;
  if (!isCallError(error))
    return new TaskFailed(`${name}: ${masker.mask(reasonOf(error))}`, { cause: error });
  const { statusCode, responseBody } = error;
  if (statusCode === undefined)
    return new TaskFailed(`${name} could not be reached: ${masker.mask(reasonOf(error))}`, { cause: error });
  const said = error.message === '' ? (responseBody ?? '') : error.message;
  return new TaskFailed(
    `${name} responded with status ${statusCode}: ${masker.mask(said.slice(0, 1000))}${advice(statusCode)}`,
    { retry: isTemporary(statusCode), cause: error },
  );
}

/** Statuses of services that do not know `stream` or `stream_options`, or do not allow them. */
const rejections = new Set([400, 405, 415, 422, 500, 501]);

/** Whether a service refused a request because its response was to be streamed. */
export const rejectsStreams = (error: unknown): boolean =>
  isCallError(error) &&
  rejections.has(error.statusCode ?? 0) &&
  /\bstream/i.test(`${error.message} ${error.responseBody}`);

interface BrokenStream extends Pick<TaskContext, 'masker'> {
  readonly name: string;
  /** The number of characters that arrived. */
  readonly received: number;
}

/** The failure of a response that broke off. It is tried again, unless the service blames the request. */
export function explainBrokenStream(error: unknown, { name, received, masker }: BrokenStream): Error {
  if (error instanceof TaskFailed) return error;
  // Services send errors as plain objects, too.
  const { type, statusCode } = mapIn(error);
  const said = messageIn(error);
  return new TaskFailed(
    `${name} did not complete its response, of which ${received} characters arrived: ${masker.mask(said.slice(0, 1000))}`,
    {
      // A connection that broke has the status of its response, which was a success.
      retry:
        typeof statusCode === 'number' && statusCode >= 300
          ? isTemporary(statusCode)
          : type !== 'invalid_request_error',
      cause: error,
    },
  );
}

function messageIn(error: unknown): string {
  if (!(error instanceof Error)) return textIn(mapIn(error).message) || JSON.stringify(error);
  const reason = reasonOf(error);
  if (/^AI_(JSONParse|TypeValidation)Error$/.test(error.name))
    return `one of its events is not valid: ${reason.slice(0, 300)}`;
  return reason === 'aborted' || reason === 'terminated' ? 'the connection was closed' : reason;
}

/** The reason of a failed connection is the cause of the error that the library throws. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && cause.message !== '' ? cause.message : messageOf(error);
}

function advice(status: number): string {
  if (status === 401 || status === 403) return ' Check the credentials of the provider.';
  if (status === 404) return ' Check the name of the model and the address.';
  if (status === 429) return ' Add a `retry` to the task to wait longer.';
  return '';
}

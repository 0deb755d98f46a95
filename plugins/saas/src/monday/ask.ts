import {
  type JsonMap,
  mapIn,
  sendWithinLimits,
  type TaskContext,
  TaskFailed,
  textOf,
} from '@millrace/plugin-kit';
import type { RestClient, RestResponse } from '../rest/client.ts';

/**
 * Sends GraphQL and returns its data. monday.com reports errors in responses with status 200, also those about its
 * limits; the latter are treated like a 429, so that the request is sent again after the pause that monday.com names.
 */
export async function ask(
  client: RestClient,
  context: TaskContext,
  query: string,
  variables: JsonMap = {},
): Promise<JsonMap> {
  const { status, body } = await sendWithinLimits(context, 'monday.com', async () =>
    withLimitAsStatus(await client.send({ method: 'POST', path: '/v2', body: { query, variables } })),
  );
  const messages = errorsIn(body).map(messageIn);
  if (messages.length > 0)
    throw new TaskFailed(`monday.com refuses the request: ${messages.join('; ')}`, { retry: status === 429 });
  return mapIn(mapIn(body).data);
}

/** Errors are maps, and texts in older versions of the API. */
function errorsIn(body: unknown): readonly unknown[] {
  const { errors, error_message: message } = mapIn(body);
  if (Array.isArray(errors) && errors.length > 0) return errors;
  return message === undefined ? [] : [message];
}

const messageIn = (error: unknown): string =>
  textOf(error) ?? textOf(mapIn(error).message) ?? JSON.stringify(error);

function withLimitAsStatus(response: RestResponse): RestResponse {
  const [first] = errorsIn(response.body);
  if (first === undefined) return response;
  const { retry_in_seconds: seconds, status_code: status } = mapIn(mapIn(first).extensions);
  const isLimit = textOf(seconds) !== undefined || status === 429 || mapIn(response.body).status_code === 429;
  if (!isLimit) return response;
  const pause = textOf(seconds) ?? /reset in (\d+) seconds/.exec(messageIn(first))?.[1];
  return {
    ...response,
    status: 429,
    headers: { ...response.headers, ...(pause !== undefined && { 'retry-after': [pause] }) },
  };
}

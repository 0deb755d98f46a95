import {
  defineTask,
  dropMissing,
  fetchedOutput,
  fetchRows,
  fetchTypeProperty,
  type JsonMap,
  mapIn,
  type TaskContext,
  type TaskDefinition,
  TaskFailed,
  text,
  textOf,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { askService } from '../../base/readResponse.ts';
import { type RequestOptions, requestOptions } from '../../base/requestOptions.ts';
import { oneTask } from '../../base/serviceTasks.ts';

/** The properties of every Web API task. */
export const slackLogin = {
  token: text().describe('The token of the app, `xoxb-…` or `xoxp-…`. Keep it in a secret.'),
  url: text()
    .default('https://slack.com/api')
    .describe('The address of the Web API; `https://slack-gov.com/api` for GovSlack.'),
  options: requestOptions(),
};

export interface SlackLogin {
  readonly token: string;
  readonly url: string;
  readonly options?: RequestOptions;
}

type Shape = z.ZodRawShape;
type InputOf<S extends Shape> = z.infer<z.ZodObject<S>>;

interface MethodWords {
  /** The end of the type, after `slack.app.`. */
  readonly name: string;
  /** The method of the Web API. */
  readonly method: string;
  readonly title: string;
  readonly description: string;
  /** The properties of the example, without the token. */
  readonly example: string;
}

interface Method<S extends Shape, O extends Shape> extends MethodWords {
  readonly properties: S;
  /** The arguments of the call; by default the properties in snake case. */
  readonly toArguments?: (input: InputOf<S>) => JsonMap;
  readonly output: O;
  readonly read: (answer: JsonMap) => z.input<z.ZodObject<O>>;
}

/** One call of the Web API as a task. */
export function defineMethod<S extends Shape, O extends Shape>(options: Method<S, O>): TaskDefinition {
  const { method, properties, toArguments = toSnakeCase, output, read } = options;
  return defineTask({
    ...wordsOf(options),
    input: () => z.object({ ...slackLogin, ...properties }),
    output: () => z.object(output),
    sideEffects: true,
    run: async (context, given) => {
      // `as`: the schema is the sum of both.
      const { token, url, options: request, ...rest } = given as SlackLogin & InputOf<S>;
      const answer = await callSlack(
        context,
        { token, url, options: request },
        method,
        toArguments(rest as InputOf<S>),
      );
      return read(answer);
    },
  });
}

interface ListMethod<S extends Shape> extends MethodWords {
  readonly properties: S;
  readonly toArguments?: (input: InputOf<S>) => JsonMap;
  /** The rows of one page. */
  readonly rows: (answer: JsonMap) => readonly JsonMap[];
}

/** A call that returns pages, as a task that reads all of them. */
export function defineListMethod<S extends Shape>(options: ListMethod<S>): TaskDefinition {
  const { method, properties, toArguments = toSnakeCase, rows } = options;
  return defineTask({
    ...wordsOf(options),
    input: () => z.object({ ...slackLogin, fetchType: fetchTypeProperty('FETCH'), ...properties }),
    output: () => z.object(fetchedOutput),
    sideEffects: true,
    run: async (context, given) => {
      // `as`: the schema is the sum of both.
      const {
        token,
        url,
        options: request,
        fetchType: kind,
        ...rest
      } = given as SlackLogin & InputOf<S> & { readonly fetchType: 'STORE' | 'FETCH' | 'FETCH_ONE' | 'NONE' };
      const login = { token, url, options: request };
      const pages = readPages(context, login, method, toArguments(rest as unknown as InputOf<S>), rows);
      return fetchRows(context, kind, pages);
    },
  });
}

/** The maximum number of rows per page in Slack. */
const pageSize = 200;

async function* readPages(
  context: TaskContext,
  login: SlackLogin,
  method: string,
  given: JsonMap,
  rows: (answer: JsonMap) => readonly JsonMap[],
): AsyncIterable<JsonMap> {
  const { limit, ...rest } = given;
  let left = typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY;
  for (let cursor: string | undefined; left > 0; ) {
    const answer = await callSlack(context, login, method, {
      ...rest,
      limit: Math.min(left, pageSize),
      cursor,
    });
    const page = rows(answer).slice(0, left);
    yield* page;
    left -= page.length;
    cursor = textOf(mapIn(answer.response_metadata).next_cursor);
    if (!cursor) return;
  }
}

function wordsOf({ name, title, description, example }: MethodWords) {
  const type = `slack.app.${name}`;
  const properties = `token: "{{ secret('SLACK_TOKEN') }}"\n${example}`;
  const id = `slack_${name.replace('.', '_').replace(/(?<=[a-z])[A-Z]/g, '_$&')}`.toLowerCase();
  return { type, title, description, examples: [oneTask(type, properties, `${title}.`, id)] };
}

const toSnakeCase = (input: JsonMap): JsonMap =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name.replace(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`),
      value,
    ]),
  );

/** Failures of Slack itself, after which trying again helps. */
const passing = new Set([
  'ratelimited',
  'rate_limited',
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
]);

/**
 * Calls a method. Arguments are sent as a form, which every method accepts; lists and maps as JSON. Slack
 * reports most failures with status 200 and a code.
 */
export async function callSlack(
  context: TaskContext,
  { token, url, options }: SlackLogin,
  method: string,
  given: JsonMap,
): Promise<JsonMap> {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(dropMissing(given)))
    form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  const answer = await askService(context, {
    service: 'Slack',
    url: `${url.replace(/\/+$/, '')}/${method}`,
    headers: { authorization: `Bearer ${token}` },
    body: form,
    secrets: [token],
    options,
  });
  const warning = textOf(answer.warning);
  if (warning !== undefined) await context.log('WARN', `Slack warns: ${warning}`);
  if (answer.ok === true) return answer;
  const code = textOf(answer.error) ?? 'unknown error';
  throw new TaskFailed(context.masker.mask(`Slack refused ${method}: ${code}${detailsOf(answer)}`), {
    retry: passing.has(code),
  });
}

function detailsOf(answer: JsonMap): string {
  const needed = textOf(answer.needed);
  if (needed !== undefined)
    return `; the token needs the scope ${needed}, it has ${textOf(answer.provided) ?? 'none'}`;
  const { messages } = mapIn(answer.response_metadata);
  return Array.isArray(messages) ? `; ${messages.map(String).join('; ')}`.slice(0, 500) : '';
}

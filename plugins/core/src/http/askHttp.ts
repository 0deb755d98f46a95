import type { HttpRequest } from '@millrace/expression';
import type { TaskContext } from '@millrace/plugin-kit';
import { TaskFailed } from '@millrace/plugin-kit';
import { parse as parseYaml, stringify as toYaml } from 'yaml';
import { z } from 'zod';
import { httpProperties } from './httpProperties.ts';
import { readBody, sendRequest, withoutLogin } from './sendRequest.ts';

/** The maximum response size for expressions; larger responses need a task. */
const maxBytes = 10 * 1024 * 1024;
const longestMs = 60_000;
const Input = z.object(httpProperties);

/** Sends the request under the outbound policy and returns the body: parsed if JSON or YAML, else text. */
export async function askHttp(question: HttpRequest, fetch: TaskContext['fetch']): Promise<unknown> {
  const { uri, method, contentType, accept } = question;
  const body = toBody(question.body, contentType);
  const input = readArguments({
    uri: withQuery(uri, question.query),
    method,
    headers: { accept, ...lowerCased(question.headers) },
    contentType,
    ...(body === undefined ? {} : { body }),
    options: question.options ?? {},
  });
  const signal = AbortSignal.timeout(longestMs);
  const response = await sendRequest({ fetch, signal, log: () => {}, files: noFiles }, input);
  const bytes = await readBody(response, input.options?.maxContentLength ?? maxBytes, 'fail');
  return readAnswer(bytes.toString('utf8'), response.headers['content-type']?.[0] ?? '', uri);
}

const noFiles: Pick<TaskContext['files'], 'read'> = {
  read: () => Promise.reject(new TaskFailed('http() sends no files; use core.http.Request for them.')),
};

function readArguments(given: Readonly<Record<string, unknown>>): z.infer<typeof Input> {
  const result = Input.safeParse(given);
  if (result.success) return result.data;
  throw new TaskFailed(`The arguments of http() cannot be used: ${z.prettifyError(result.error)}`, {
    retry: false,
  });
}

const lowerCased = (headers: unknown): Record<string, string> =>
  Object.fromEntries(pairsOf(headers, 'headers').map(([name, value]) => [name.toLowerCase(), value]));

function withQuery(uri: string, query: unknown): string {
  const pairs = pairsOf(query, 'query');
  if (pairs.length === 0) return uri;
  const [address = '', fragment] = uri.split('#');
  const more = new URLSearchParams(pairs).toString();
  const joined = `${address}${address.includes('?') ? '&' : '?'}${more}`;
  return fragment === undefined ? joined : `${joined}#${fragment}`;
}

function toBody(body: unknown, contentType: string): string | undefined {
  if (body === null || body === undefined) return undefined;
  const type = contentType.toLowerCase();
  if (type.startsWith('application/x-www-form-urlencoded') && typeof body !== 'string')
    return new URLSearchParams(pairsOf(body, 'body')).toString();
  if (typeof body === 'string') return body;
  return /[/+-]ya?ml\b/.test(type) ? toYaml(body) : JSON.stringify(body);
}

/** A list repeats its name for every item. */
function pairsOf(value: unknown, name: string): [string, string][] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object' || Array.isArray(value))
    throw new TaskFailed(`The ${name} of http() must be a map, not ${JSON.stringify(value)}.`, {
      retry: false,
    });
  return Object.entries(value).flatMap(([key, item]) =>
    (Array.isArray(item) ? item : [item]).map((each): [string, string] => [key, String(each ?? '')]),
  );
}

function readAnswer(text: string, contentType: string, uri: string): unknown {
  const type = contentType.toLowerCase();
  if (text === '') return null;
  try {
    if (/[/+]json\b/.test(type)) return JSON.parse(text);
    if (/[/+-]ya?ml\b/.test(type)) return parseYaml(text, { maxAliasCount: 100 });
  } catch (error) {
    throw new TaskFailed(
      `The answer of ${withoutLogin(uri)} says it is ${contentType} and cannot be read as that.`,
      {
        cause: error,
      },
    );
  }
  return text;
}

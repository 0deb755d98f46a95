import { anything, defineTask, duration, mapOf, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { taskExample } from '../client/example.ts';
import { readText } from '../client/http.ts';

export const httpFunction = defineTask({
  type: 'azure.function.HttpFunction',
  title: 'Call an Azure function',
  description:
    'Calls a function over HTTP and returns its answer: parsed when it is JSON, otherwise as text.',
  input: () =>
    z.object({
      httpMethod: text().describe('The method, such as `POST`.'),
      url: text().describe('The address of the function, with its key.'),
      httpBody: mapOf(anything()).default({}).describe('The body, sent as JSON; none for `GET`.'),
      maxDuration: duration().prefault('PT60M').describe('How long the function may take.'),
    }),
  output: () =>
    z.object({
      responseBody: z.unknown().describe('The answer of the function.'),
      repsonseBody: z.unknown().describe('The same, under the name that flows for Kestra use.'),
    }),
  sideEffects: true,
  examples: [
    taskExample('azure.function.HttpFunction', 'Call a function.', [
      'httpMethod: POST',
      'url: "https://company.azurewebsites.net/api/resize?code={{ secret(\'FUNCTION_KEY\') }}"',
      'httpBody:',
      '  picture: 42',
    ]),
  ],
  async run(context, { httpMethod, url, httpBody, maxDuration }) {
    const method = httpMethod.toUpperCase();
    const body = method === 'GET' || method === 'HEAD' ? undefined : JSON.stringify(httpBody);
    const response = await context.fetch({
      url,
      method,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      readIdleTimeoutMs: maxDuration,
      signal: context.signal,
      ...(body !== undefined && { body }),
    });
    const text = await readText(response);
    if (response.status >= 400)
      throw new TaskFailed(`The function responded with status ${response.status}: ${text.slice(0, 500)}`);
    const value = toValue(text);
    return { responseBody: value, repsonseBody: value };
  },
});

function toValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

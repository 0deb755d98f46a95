import { anything, duration, mapOf, messageOf, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { fetchToken } from '../google/credentials.ts';
import { defineGcpTask, taskExample } from '../google/define.ts';

const maxBytes = 64 * 1024 * 1024;

export const httpFunction = defineGcpTask({
  type: 'gcp.function.HttpFunction',
  title: 'Call a Cloud Function',
  description:
    'Calls an HTTP function of Cloud Functions or a service of Cloud Run with an identity token, and returns its response.',
  properties: {
    httpMethod: text().describe('The method, such as `GET` or `POST`.'),
    url: text().describe('The address of the function.'),
    httpBody: mapOf(anything())
      .default({})
      .describe('The body, sent as JSON; nothing is sent when it is empty.'),
    maxDuration: duration().prefault('PT60M').describe('How long the task waits for the response.'),
  },
  output: () =>
    z.object({
      responseBody: z.unknown().describe('The response; a value when it is JSON, otherwise text.'),
    }),
  examples: [
    taskExample(
      'gcp.function.HttpFunction',
      'Call a function with a body.',
      'httpMethod: POST\nurl: https://europe-west1-my-project.cloudfunctions.net/my-function\nhttpBody:\n  firstName: Ada',
    ),
  ],
  async run(_, { httpMethod, url, httpBody, maxDuration, ...login }, context) {
    if (!URL.canParse(url)) throw new TaskFailed(`"url" must be an address, got "${url}".`, { retry: false });
    const { origin, pathname } = new URL(url);
    const token = await fetchToken(context, login, `${origin}${pathname}`);
    const content = Object.keys(httpBody).length === 0 ? undefined : JSON.stringify(httpBody);
    const limit = AbortSignal.timeout(maxDuration);
    try {
      const response = await context.fetch({
        url,
        method: httpMethod.toUpperCase(),
        headers: {
          authorization: `Bearer ${token.value}`,
          ...(content !== undefined && {
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(content)),
          }),
        },
        ...(content !== undefined && { body: content }),
        readIdleTimeoutMs: maxDuration,
        signal: AbortSignal.any([context.signal, limit]),
      });
      const chunks: Uint8Array[] = [];
      let size = 0;
      for await (const chunk of response.body) {
        size += chunk.length;
        if (size > maxBytes) throw new TaskFailed('The response is larger than 64 MB.', { retry: false });
        chunks.push(chunk);
      }
      const body = Buffer.concat(chunks).toString('utf8');
      if (response.status < 300) return { responseBody: parse(body) };
      const { status } = response;
      throw new TaskFailed(`The function responded with HTTP ${status}: ${body.trim().slice(0, 500)}`, {
        retry: status === 429 || status >= 500,
      });
    } catch (error) {
      context.signal.throwIfAborted();
      if (error instanceof TaskFailed) throw error;
      if (limit.aborted) throw new TaskFailed(`The function did not respond within ${maxDuration / 1000} s.`);
      throw new TaskFailed(`${origin} could not be reached: ${messageOf(error)}`, { cause: error });
    }
  },
});

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

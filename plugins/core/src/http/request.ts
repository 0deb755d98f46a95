import type { TaskContext } from '@millrace/plugin-kit';
import { defineTask } from '@millrace/plugin-kit';
import { z } from 'zod';
import { encryptBody, type HttpInput, httpProperties } from './httpProperties.ts';
import { logDebug, readBody, sendRequest } from './sendRequest.ts';

const defaultMaxBytes = 10 * 1024 * 1024;

const output = z.object({
  uri: z.string().describe('The address that answered, after redirects.'),
  code: z.number().describe('The status.'),
  headers: z.record(z.string(), z.array(z.string())).describe('The headers of the answer.'),
  body: z.string().nullable().describe('The body as text; null when it is empty or encrypted.'),
  encryptedBody: z.unknown().optional().describe('The body, stored encrypted, when `encryptBody` is set.'),
});

export const request = defineTask({
  type: 'core.http.Request',
  title: 'Send an HTTP request',
  description:
    'Returns status, headers and body of the answer. Answers over 10 MB are refused; use `core.http.Download` for them.',
  aliases: ['io.kestra.plugin.fs.http.Request'],
  input: () => z.object({ ...httpProperties, encryptBody: encryptBody() }),
  output,
  sideEffects: true,
  examples: [
    {
      title: 'Send JSON with a token.',
      runs: false,
      code: `id: send_order
namespace: company.team

inputs:
  - id: order
    type: JSON

tasks:
  - id: send
    type: core.http.Request
    uri: https://api.example.com/orders
    method: POST
    body: "{{ inputs.order }}"
    options:
      auth:
        type: BEARER
        token: "{{ secret('API_TOKEN') }}"

  - id: show
    type: core.log.Log
    message: "{{ outputs.send.code }}"
`,
    },
  ],
  run: (context, { encryptBody: isSealed, ...input }) => runRequest(context, input, isSealed),
});

/** Runs the request of a task or a trigger. */
export async function runRequest(
  context: TaskContext,
  input: HttpInput,
  isSealed: boolean,
): Promise<z.infer<typeof output>> {
  const response = await sendRequest(context, input);
  const bytes = await readBody(response, input.options?.maxContentLength ?? defaultMaxBytes, 'fail');
  const body =
    bytes.length === 0 ? null : decode(bytes, response.headers, input.options?.defaultCharset ?? 'UTF-8');
  if (body !== null && !isSealed) await logDebug(context, input, 'RESPONSE_BODY', body);
  return {
    uri: response.url,
    code: response.status,
    headers: Object.fromEntries(
      Object.entries(response.headers).map(([name, values]) => [name, [...values]]),
    ),
    body: isSealed ? null : body,
    ...(isSealed && body !== null && { encryptedBody: context.seal(body) }),
  };
}

function decode(
  bytes: Buffer,
  headers: Readonly<Record<string, readonly string[]>>,
  fallback: string,
): string {
  const charset = /charset="?([^\s;"]+)/i.exec(headers['content-type']?.[0] ?? '')?.[1] ?? fallback;
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    // The charset is unknown: most responses are UTF-8 regardless of the header.
    return bytes.toString('utf8');
  }
}

export const requestOutput = output;

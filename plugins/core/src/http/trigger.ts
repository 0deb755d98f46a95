import { isTruthy } from '@millrace/expression';
import { defineTrigger, duration, fixed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { encryptBody, httpProperties } from './httpProperties.ts';
import { requestOutput, runRequest } from './request.ts';

const defaultCondition = '{{ response.statusCode < 400 }}';

export const httpTrigger = defineTrigger({
  type: 'core.http.Trigger',
  role: 'polling',
  title: 'Start an execution when a request is answered as expected',
  description:
    'Sends a request again and again and starts an execution when the condition on the answer holds.',
  aliases: ['io.kestra.plugin.fs.http.Trigger'],
  input: () =>
    z.object({
      ...httpProperties,
      encryptBody: encryptBody(),
      interval: fixed(duration()).prefault('PT1M').describe('The pause between two requests.'),
      responseCondition: text()
        .default(defaultCondition)
        .describe('Sees `response.statusCode`, `response.body` and `response.headers`.'),
    }),
  raw: ['responseCondition'],
  output: requestOutput,
  examples: [
    {
      title: 'When a service is back.',
      runs: false,
      code: `id: service_is_back
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "{{ trigger.body }}"

triggers:
  - id: look
    type: core.http.Trigger
    uri: https://api.example.com/health
    interval: PT5M
    responseCondition: "{{ response.statusCode == 200 }}"
`,
    },
  ],
  async poll(context, { interval: _, responseCondition, encryptBody: isSealed, ...input }) {
    // The condition decides about the status, so no status is a failure by itself.
    const { body, ...answer } = await runRequest(context, { ...input, allowFailed: true }, false);
    const response = { statusCode: answer.code, body, headers: answer.headers };
    if (!isTruthy(await context.render(responseCondition, { response }))) return undefined;
    return isSealed && body !== null
      ? { ...answer, body: null, encryptedBody: context.seal(body) }
      : { ...answer, body };
  },
});

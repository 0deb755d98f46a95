import {
  anything,
  choice,
  defineTrigger,
  fixed,
  flag,
  integer,
  lineIcon,
  mapOf,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';

export const webhook = defineTrigger({
  type: 'core.trigger.Webhook',
  role: 'webhook',
  title: 'Start an execution by an HTTP request',
  description: `The flow can be started with GET, POST or PUT on
\`/api/v1/executions/webhook/{namespace}/{flowId}/{key}\`. Who knows the key can start the flow, so choose a long one.`,
  aliases: ['io.kestra.core.models.triggers.types.Webhook'],
  icon: lineIcon('M4 12h10', 'M10 8l4 4-4 4', 'M16 5h4v14h-4'),
  input: () =>
    z.object({
      key: text()
        .refine((key) => key.length <= 256, 'must hold at most 256 characters')
        .describe('The last part of the address. It may be an expression, such as a secret.'),
      wait: flag().default(false).describe('Answer only when the execution has ended.'),
      returnOutputs: flag().default(false).describe('Answer with the outputs of the flow; needs `wait`.'),
      responseContentType: fixed(choice(['application/json', 'text/plain']))
        .optional()
        .describe('The type of the answer.'),
      responseCode: integer({ min: 100, max: 599 }).optional().describe('The status of the answer.'),
      inputs: mapOf(anything()).optional().describe('The inputs of the execution; may use `trigger.body`.'),
    }),
  output: () =>
    z.object({
      body: z.unknown().describe('The body: JSON as a map or list, anything else as text.'),
      headers: z.record(z.string(), z.array(z.string())).describe('The headers of the request.'),
      parameters: z.record(z.string(), z.array(z.string())).describe('The query parameters.'),
    }),
  examples: [
    {
      title: 'Write what was sent to the log.',
      runs: false,
      code: `id: receive
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "{{ trigger.body }}"

triggers:
  - id: hook
    type: core.trigger.Webhook
    key: 4wjtkzwVGBM9yKnjm3yv8r
`,
    },
  ],
});

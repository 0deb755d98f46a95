import {
  defineTask,
  flag,
  readSse,
  type SseEvent,
  type TaskContext,
  TaskFailed,
  text,
  toRow,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { httpProperties } from './httpProperties.ts';
import { sendRequest } from './sendRequest.ts';

const maxEventLength = 10 * 1024 * 1024;
/** Outputs are for later tasks to read; the file has all of them. */
const maxListed = 1_000;

export const sseRequest = defineTask({
  type: 'core.http.SseRequest',
  title: 'Read a stream of server-sent events',
  description: `Sends a request and reads the events of the answer until it ends. All of them go into a file, one row each; with
\`concatJqExpression\` a part of each one's JSON is put together, as for the answers of language models.`,
  aliases: ['io.kestra.plugin.fs.http.SseRequest'],
  input: () =>
    z.object({
      ...httpProperties,
      concatJqExpression: text()
        .optional()
        .describe(
          'Taken out of the JSON of every event and put together, for example `.choices[0].delta.content`.',
        ),
      failedOnMissingJq: flag()
        .default(true)
        .describe('Fail when an event has nothing at that place; otherwise it is passed over.'),
    }),
  output: () =>
    z.object({
      uri: z.string().describe('The file of all events, one row each.'),
      events: z.array(z.unknown()).describe('The first 1,000 events.'),
      size: z.number().describe('How many events there were.'),
      result: z.string().nullable().describe('What `concatJqExpression` has put together.'),
    }),
  sideEffects: true,
  examples: [
    {
      title: 'The answer of a language model as one text.',
      runs: false,
      code: `id: ask_a_model
namespace: company.team

tasks:
  - id: ask
    type: core.http.SseRequest
    uri: https://api.example.com/v1/chat
    method: POST
    body: '{"stream": true, "question": "Why is the sky blue?"}'
    concatJqExpression: .choices[0].delta.content
    failedOnMissingJq: false

  - id: show
    type: core.log.Log
    message: "{{ outputs.ask.result }}"
`,
    },
  ],
  async run(context, { concatJqExpression, failedOnMissingJq, ...input }) {
    const headers = { accept: 'text/event-stream', ...input.headers };
    const response = await sendRequest(context, { ...input, headers });
    const events: SseEvent[] = [];
    const parts: string[] = [];
    let size = 0;
    const rows = async function* () {
      for await (const event of readSse(response.body, maxEventLength)) {
        size += 1;
        if (events.length < maxListed) events.push(event);
        if (concatJqExpression !== undefined) {
          parts.push(await pick(context, event, concatJqExpression, failedOnMissingJq));
        }
        yield toRow(event);
      }
    };
    const uri = await context.files.put('events.ion', rows());
    return { uri, events, size, result: concatJqExpression === undefined ? null : parts.join('') };
  },
});

/** Many services end the stream with an event that is not JSON. */
const isEnd = (data: string): boolean => data.trim() === '[DONE]';

async function pick(
  context: TaskContext,
  { data }: SseEvent,
  expression: string,
  failsOnMissing: boolean,
): Promise<string> {
  if (isEnd(data)) return '';
  const found = await findValue(context, data, expression);
  if (found !== undefined && found !== null) return typeof found === 'string' ? found : JSON.stringify(found);
  if (!failsOnMissing) return '';
  throw new TaskFailed(`An event has nothing at "${expression}": ${data.slice(0, 200)}`);
}

async function findValue(context: TaskContext, data: string, expression: string): Promise<unknown> {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return undefined;
  }
  return context.renderTyped('{{ value | jq(expression) | first }}', { value, expression });
}

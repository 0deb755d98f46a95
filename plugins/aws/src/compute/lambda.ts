import { anything, defineTask, dropMissing, mapOf, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { encodePart, readBytes } from '../client/awsClient.ts';
import { taskConnection } from '../client/connection.ts';
import { taskExample } from '../client/example.ts';
import { openClient } from '../client/openClient.ts';

const Failure = z.looseObject({ errorMessage: z.string().optional(), errorType: z.string().optional() });

/** A function runs for a quarter of an hour at most. */
const longestMs = 16 * 60_000;

export const lambdaInvoke = defineTask({
  type: 'aws.lambda.Invoke',
  title: 'Invoke a Lambda function',
  description: `Calls a function with a payload, waits for its result and stores it in a file. The end of the function's log is copied to the log of the
task. A function that fails, fails the task with its message.`,
  input: () =>
    z.object({
      ...taskConnection,
      functionArn: text().describe('The ARN or the name of the function.'),
      functionPayload: mapOf(anything()).optional().describe('The payload, sent as JSON.'),
    }),
  output: () =>
    z.object({
      uri: z.string().describe('The file with the result.'),
      contentLength: z.number().describe('The size of the result in bytes.'),
      contentType: z.string().optional().describe('The media type of the result.'),
      eTag: z.string().optional().describe('Never set; accepted for compatibility.'),
      versionId: z.string().optional().describe('The version of the function that ran.'),
    }),
  metrics: [
    { name: 'file.size', type: 'counter', unit: 'bytes', description: 'The size of the result.' },
    { name: 'duration', type: 'timer', description: 'How long the call took.' },
  ],
  sideEffects: true,
  examples: [
    taskExample('aws.lambda.Invoke', 'Call a function.', [
      'functionArn: arn:aws:lambda:eu-west-1:123456789012:function:resize',
      'functionPayload:',
      '  picture: 42',
    ]),
  ],
  async run(context, { functionArn, functionPayload, ...connection }) {
    const client = await openClient(context, connection, 'lambda');
    const start = performance.now();
    const response = await client.send({
      action: `Invoke of "${functionArn}"`,
      method: 'POST',
      path: `/2015-03-31/functions/${encodePart(functionArn)}/invocations`,
      headers: {
        'content-type': 'application/json',
        'x-amz-invocation-type': 'RequestResponse',
        'x-amz-log-type': 'Tail',
      },
      body: functionPayload === undefined ? '' : JSON.stringify(functionPayload),
      once: true,
      readIdleTimeoutMs: longestMs,
    });
    const body = await readBytes(response);
    const header = (name: string) => response.headers[name]?.[0];
    const tail = Buffer.from(header('x-amz-log-result') ?? '', 'base64').toString('utf8');
    for (const line of tail.split('\n')) if (line.trim() !== '') await context.log('INFO', line);
    if (header('x-amz-function-error') !== undefined) throw toFailure(functionArn, body.toString('utf8'));
    const uri = await context.files.put('result.json', body);
    context.metric({ name: 'file.size', type: 'counter', value: body.length });
    context.metric({ name: 'duration', type: 'timer', value: Math.round(performance.now() - start) });
    return {
      uri,
      contentLength: body.length,
      ...dropMissing({ contentType: header('content-type'), versionId: header('x-amz-executed-version') }),
    };
  },
});

function toFailure(functionArn: string, text: string): TaskFailed {
  try {
    const { errorMessage, errorType } = Failure.parse(JSON.parse(text));
    const reason = [errorType, errorMessage].filter(Boolean).join(': ') || text;
    return new TaskFailed(`The function "${functionArn}" failed: ${reason}`);
  } catch {
    return new TaskFailed(`The function "${functionArn}" failed: ${text.slice(0, 500)}`);
  }
}

import { dropMissing, TaskFailed } from '@millrace/plugin-kit';
import { may, need, out, preset } from '@millrace/plugin-saas/rest';
import { huaweiService, projectOf, type Types } from '../client/connection.ts';

const service = huaweiService('FunctionGraph', 'functiongraph');

const invoke = service.task({
  type: 'functiongraph.Invoke',
  title: 'Invoke a function of FunctionGraph',
  description:
    'Calls a function, waits for its end and stores what it returned in a file. A function that fails makes the task fail.',
  properties: {
    functionUrn: need.text('The URN of the function.'),
    functionPayload: may.map('The event for the function.'),
    fetchLogs: preset.flag(false, 'Return the end of the log of the function.'),
  },
  output: {
    uri: out.text('The file with the result.'),
    contentLength: out.integer('The size of the result in bytes.'),
    requestId: out.text('The id of the request.'),
    statusCode: out.integer('The status of the call.'),
    logs: out.text('The end of the log, with `fetchLogs`.'),
  },
  metrics: [
    { name: 'file.size', type: 'counter', unit: 'bytes', description: 'The size of the result.' },
    { name: 'duration', type: 'timer', description: 'How long the call took.' },
  ],
  run: async (client, input, context) => {
    const project = await projectOf(context, input);
    const start = performance.now();
    const { body, status, headers } = await client.send({
      method: 'POST',
      path: `/v2/${project}/fgs/functions/${encodeURIComponent(input.functionUrn)}/invocations`,
      headers: { 'x-cff-request-version': 'v1', ...(input.fetchLogs && { 'x-cff-log-type': 'tail' }) },
      body: input.functionPayload ?? {},
    });
    const duration = Math.round(performance.now() - start);
    const said = readResult(body);
    const code = Number(said.status ?? status);
    if (headers['x-is-func-err']?.[0] === 'true' || code >= 400)
      throw new TaskFailed(`The function failed with status ${code}: ${said.result.slice(0, 1000)}`);
    const uri = await context.files.put('result.json', said.result);
    const contentLength = Buffer.byteLength(said.result);
    context.metric({ name: 'file.size', type: 'counter', value: contentLength });
    context.metric({ name: 'duration', type: 'timer', value: duration });
    const log = said.log ?? decoded(headers['x-cff-function-log']?.[0]);
    return dropMissing({
      uri,
      contentLength,
      requestId: said.request ?? headers['x-cff-request-id']?.[0],
      statusCode: code,
      logs: input.fetchLogs ? log : undefined,
    });
  },
  example: {
    functionUrn: 'urn:fss:eu-west-101:0970d7b7d400f2470fbec00316a03560:function:default:report:latest',
    functionPayload: { day: '{{ execution.startDate }}' },
  },
});

/** Version 1 of the response has the result, the log and the status in a map; the result of version 0 is the body. */
function readResult(body: unknown) {
  const asText = (value: unknown) =>
    typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  if (typeof body !== 'object' || body === null || !('request_id' in body)) return { result: asText(body) };
  const { request_id: request, result, log, status } = body as Record<string, unknown>; // read field by field
  return { request, result: asText(result), log: typeof log === 'string' ? log : undefined, status };
}

const decoded = (log: string | undefined) =>
  log === undefined ? undefined : Buffer.from(log, 'base64').toString('utf8');

export const functiongraphTypes: Types = [invoke];

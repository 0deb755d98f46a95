import { textOf } from '@millrace/plugin-kit';
import { out, valueAt } from '../rest/outputs.ts';
import { may, need, preset } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';

const zapier = defineService({
  name: 'Zapier',
  prefix: 'zapier',
  properties: { url: need.secret('The address of the catch hook. It is a password: keep it in a secret.') },
  baseUrl: ({ url }) => url,
  example: { url: "{{ secret('ZAPIER_HOOK') }}" },
});

const trigger = zapier.task({
  type: 'TriggerZap',
  title: 'Start a zap of Zapier',
  description: 'Calls a catch hook of Zapier.',
  properties: {
    content: may.map('What the zap is given; with `GET` in the query.'),
    method: preset.choice(['POST', 'PUT', 'GET'], 'POST', 'The method.'),
    headers: may.textMap('More headers.'),
    allowFailed: preset.flag(false, 'A status of 400 and above does not fail the task.'),
  },
  output: {
    status: out.integer('The status of the response.'),
    body: out.text('The body of the response.'),
    attemptId: out.text('The id that Zapier gives the call.'),
  },
  run: async (client, { url, content = {}, method, headers = {}, allowFailed }) => {
    const isGet = method === 'GET';
    const failures = Array.from({ length: 200 }, (_, index) => 400 + index);
    const { status, body } = await client.send({
      method,
      path: url,
      headers,
      ...(isGet ? { query: content } : { body: content }),
      ...(allowFailed && { accepts: failures }),
    });
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return { status, body: text, attemptId: textOf(valueAt(body, 'attempt') ?? valueAt(body, 'id')) };
  },
  example: { content: { order: 42 } },
});

export const zapierTypes = [trigger];

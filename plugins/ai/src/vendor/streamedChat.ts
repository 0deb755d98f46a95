import { readSse, type TaskContext } from '@millrace/plugin-kit';
import { callBody, isMap, type JsonCall, type JsonMap, mapIn, mapsIn, textIn } from '../base/callJson.ts';
import { explainBrokenStream } from '../base/modelFailure.ts';
import { LineCutter } from '../base/streamedResponse.ts';
import { countUsage } from './vendorMetrics.ts';

const maxEventLength = 10 * 1024 * 1024;

/** Reads a streamed response of the chat API of OpenAI, and returns the completion that a plain call returns. */
export async function streamChat(context: TaskContext, call: JsonCall): Promise<string> {
  const { body } = await callBody(context, {
    ...call,
    headers: { ...call.headers, accept: 'text/event-stream' },
  });
  const lines = new LineCutter((line) => context.log('DEBUG', `${call.service} writes: ${line}`));
  let completion: JsonMap = {};
  let content = '';
  let finishReason: unknown;
  try {
    for await (const { data } of readSse(body, maxEventLength)) {
      if (data === '[DONE]') break;
      const { choices, ...rest } = readEvent(data);
      const [choice = {}] = mapsIn(choices);
      const piece = textIn(mapIn(choice.delta).content);
      // Citations and tokens come with one of the last events.
      completion = { ...completion, ...rest };
      content += piece;
      finishReason = choice.finish_reason ?? finishReason;
      await lines.push(piece);
    }
    if (finishReason === undefined) throw new Error('it ended before the service said why the model stopped');
  } catch (error) {
    context.signal.throwIfAborted();
    throw explainBrokenStream(error, {
      name: call.service,
      received: content.length,
      masker: context.masker,
    });
  } finally {
    countUsage(context, mapIn(completion.usage));
    await lines.flush();
  }
  return JSON.stringify({
    ...completion,
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finishReason }],
  });
}

function readEvent(data: string): JsonMap {
  let event: unknown;
  try {
    event = JSON.parse(data);
  } catch {
    throw new Error(`one of its events is not valid: ${data.slice(0, 300)}`);
  }
  if (isMap(event) && event.error) throw event.error;
  return mapIn(event);
}

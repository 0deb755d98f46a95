import type { TaskContext } from '@millrace/plugin-kit';
import { isMap, type JsonMap, TaskFailed } from '@millrace/plugin-kit';
import { type ServiceRequest, sendRequest } from './sendRequest.ts';

/** Sends the request and reads the JSON object that the service responds with. */
export async function askService(context: TaskContext, request: ServiceRequest): Promise<JsonMap> {
  const { text } = await sendRequest(context, request);
  try {
    const value: unknown = JSON.parse(text);
    if (isMap(value)) return value;
  } catch {
    // Reported below, as anything else that is no JSON object.
  }
  const said = context.masker.mask(text.slice(0, 500));
  throw new TaskFailed(`${request.service} did not respond with a JSON object: ${said}`);
}

import type { TaskContext } from '@millrace/plugin-kit';
import { TaskFailed } from '@millrace/plugin-kit';
import { isMap, type JsonMap } from './jsonText.ts';
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

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;

export const mapIn = (value: unknown): JsonMap => (isMap(value) ? value : {});

export const mapsIn = (value: unknown): readonly JsonMap[] =>
  Array.isArray(value) ? value.filter(isMap) : [];

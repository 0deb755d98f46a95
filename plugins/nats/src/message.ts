import { asMessage } from '@millrace/plugin-kit';
import type { MsgHdrs } from '@nats-io/transport-node';
import { loadTransport } from './client.ts';

export interface Message {
  readonly subject?: string | undefined;
  readonly headers?: MsgHdrs | undefined;
  readonly data: Uint8Array;
}

/** A message of a flow as it is sent: `{ subject, headers, data }`, or only the data. */
export async function toMessage(value: unknown): Promise<Message> {
  const map = asMessage(value, 'data');
  const isMessage = 'data' in map || 'headers' in map || 'subject' in map;
  const { subject, headers, data } = isMessage ? map : { data: map };
  return {
    data: toBytes(data),
    ...(typeof subject === 'string' && subject !== '' && { subject }),
    ...(typeof headers === 'object' && headers !== null && { headers: await toHeaders(headers) }),
  };
}

/** Text and bytes stay unchanged, everything else becomes JSON. */
export function toBytes(data: unknown): Uint8Array {
  if (data === undefined || data === null) return new Uint8Array();
  if (data instanceof Uint8Array) return data;
  return Buffer.from(typeof data === 'string' ? data : JSON.stringify(data));
}

async function toHeaders(map: object): Promise<MsgHdrs> {
  const { headers } = await loadTransport();
  const made = headers();
  for (const [name, value] of Object.entries(map)) {
    for (const each of Array.isArray(value) ? value : [value]) made.append(name, String(each));
  }
  return made;
}

export function fromHeaders(headers: MsgHdrs | undefined): Record<string, readonly string[]> {
  return Object.fromEntries((headers?.keys() ?? []).map((name) => [name, headers?.values(name) ?? []]));
}

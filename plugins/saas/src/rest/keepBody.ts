import { type FetchType, fetchRows, isMap, type JsonMap, type TaskContext } from '@millrace/plugin-kit';
import { out } from './outputs.ts';
import { preset } from './properties.ts';

/** For services whose outputs are the whole response. */
export const bodyFetchType = preset.choice(
  ['STORE', 'FETCH', 'FETCH_ONE', 'NONE'],
  'FETCH',
  'How to return the response: a file with a row per item (`STORE`), all of it (`FETCH`), its first item (`FETCH_ONE`) or nothing (`NONE`).',
);

export const bodyOutput = {
  size: out.integer('How many items the response has.'),
  body: out.any('The response, or its first item.'),
  uri: out.text('The file with an item per row, with `STORE`.'),
};

/** Keeps a response as the flow asks for; the items are the first list in it, or the response itself. */
export async function keepBody(context: TaskContext, fetchType: FetchType, body: unknown): Promise<JsonMap> {
  const items = itemsIn(body);
  if (fetchType === 'NONE') return { size: items.length };
  if (fetchType === 'FETCH') return { size: items.length, body };
  if (fetchType === 'FETCH_ONE') return { size: Math.min(items.length, 1), body: items[0] };
  const { uri, size } = await fetchRows(context, 'STORE', items);
  return { size, uri };
}

function itemsIn(body: unknown): readonly JsonMap[] {
  const list = Array.isArray(body) ? body : isMap(body) ? Object.values(body).find(Array.isArray) : undefined;
  if (list) return list.map((item) => (isMap(item) ? item : { value: item }));
  return isMap(body) ? [body] : [];
}

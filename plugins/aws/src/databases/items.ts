import { dropMissing, TaskFailed } from '@millrace/plugin-kit';
import { z } from 'zod';
import type { AwsClient } from '../client/awsClient.ts';
import { Attributes, fromAttributes, toAttributes } from './attributes.ts';

type Item = Readonly<Record<string, unknown>>;

const Nothing = z.looseObject({});

/** Stores an item, which is a map or the JSON of one. */
export async function putItem(client: AwsClient, tableName: string, item: unknown): Promise<void> {
  await client.json('PutItem', { TableName: tableName, Item: toAttributes(toMap(item)) }, Nothing);
}

function toMap(item: unknown): Item {
  const read: unknown = typeof item === 'string' && /^\s*\{/.test(item) ? JSON.parse(item) : item;
  const map = z.record(z.string(), z.unknown()).safeParse(read);
  if (map.success) return map.data;
  throw new TaskFailed('"item" must be a map, or the JSON of one.', { retry: false });
}

export async function readItem(
  client: AwsClient,
  tableName: string,
  key: Item,
): Promise<Record<string, unknown> | undefined> {
  const request = { TableName: tableName, Key: toAttributes(key) };
  const { Item: found } = await client.json('GetItem', request, z.object({ Item: Attributes.optional() }));
  return found && fromAttributes(found);
}

export async function removeItem(client: AwsClient, tableName: string, key: Item): Promise<void> {
  await client.json('DeleteItem', { TableName: tableName, Key: toAttributes(key) }, Nothing);
}

const Page = z.object({ Items: z.array(Attributes).default([]), LastEvaluatedKey: Attributes.nullish() });

/** All items of a query or scan, page by page. */
export async function* readItems(
  client: AwsClient,
  action: 'Query' | 'Scan',
  request: object,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<Record<string, unknown>> {
  let left = limit;
  for (let start: z.infer<typeof Attributes> | undefined; ; ) {
    const page = await client.json(
      action,
      { ...request, ...dropMissing({ ExclusiveStartKey: start }) },
      Page,
    );
    for (const item of page.Items) {
      if (left-- <= 0) return;
      yield fromAttributes(item);
    }
    if (!page.LastEvaluatedKey || left <= 0) return;
    start = page.LastEvaluatedKey;
  }
}

import { type OutboundResponse, type TaskContext, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { type AzureRequest, readJson, readText, sendAzure } from '../client/http.ts';
import { signSharedKey } from '../client/sharedKey.ts';

export const batchProperties = {
  account: text().describe('The name of the Batch account.'),
  accessKey: text().describe('The access key of the account.'),
  endpoint: text().describe(
    'The address of the account, such as `https://company.westeurope.batch.azure.com`.',
  ),
};

const Connection = z.object(batchProperties);
type BatchConnection = z.infer<typeof Connection>;

const version = '2023-05-01.17.0';
type Query = Readonly<Record<string, string>>;

/** Calls to one Batch account, signed with its key. */
export class Batch {
  readonly #context: TaskContext;
  readonly #connection: BatchConnection;

  constructor(context: TaskContext, connection: BatchConnection) {
    context.masker.add(connection.accessKey);
    this.#context = context;
    this.#connection = connection;
  }

  send({
    path,
    query,
    ...request
  }: Omit<AzureRequest, 'url'> & {
    readonly path: string;
    readonly query?: Query;
  }): Promise<OutboundResponse> {
    const { account, accessKey: key, endpoint } = this.#connection;
    const parameters = new URLSearchParams({ 'api-version': version, ...query });
    // A space in a signed query must arrive as %20, not as a plus sign.
    const url = `${endpoint.replace(/\/+$/, '')}${path}?${String(parameters).replaceAll('+', '%20')}`;
    return sendAzure(
      this.#context,
      'Azure Batch',
      async ({ method }, given) => {
        const headers = { accept: 'application/json', ...given, 'ocp-date': new Date().toUTCString() };
        const authorization = signSharedKey({ account, key, method, url, headers, prefix: 'ocp-' });
        return { headers: { ...headers, authorization } };
      },
      { ...request, url },
    );
  }

  async post(action: string, path: string, body: unknown, once = false): Promise<OutboundResponse> {
    return this.send({
      action,
      path,
      method: 'POST',
      headers: { 'content-type': 'application/json; odata=minimalmetadata' },
      body: JSON.stringify(body),
      once,
    });
  }

  async get<S extends z.ZodType>(
    action: string,
    path: string,
    output: S,
    query: Query = {},
  ): Promise<z.infer<S>> {
    return readJson(await this.send({ action, path, query, method: 'GET' }), output);
  }

  /** The items of a list that the service returns page by page. */
  async list<S extends z.ZodType>(
    action: string,
    path: string,
    item: S,
    query: Query = {},
  ): Promise<z.infer<S>[]> {
    const Page = z.object({ value: z.array(item).default([]), 'odata.nextLink': z.string().nullish() });
    const found: z.infer<S>[] = [];
    for (let next: Query | undefined = query; next; ) {
      const page: z.infer<typeof Page> = await this.get(action, path, Page, next);
      found.push(...page.value);
      const link = page['odata.nextLink'];
      next = link ? Object.fromEntries(new URL(link).searchParams) : undefined;
    }
    return found;
  }

  async delete(action: string, path: string): Promise<void> {
    await readText(await this.send({ action, path, method: 'DELETE', accept: [404] }));
  }
}

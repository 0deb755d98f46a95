import { type OutboundResponse, type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import { z } from 'zod';
import { type AzureRequest, readJson, sendAzure } from '../client/http.ts';
import { getToken, type Identity, type Token } from '../client/identity.ts';

/** The address of Azure Resource Manager; tests replace it. */
export const managementUrl = (): string =>
  (process.env.AZURE_RESOURCE_MANAGER_URL ?? 'https://management.azure.com').replace(/\/+$/, '');

/** Calls with a token of Microsoft Entra ID. */
export class Management {
  readonly #context: TaskContext;
  readonly #identity: Identity;
  readonly #scope: string;
  readonly #service: string;
  #token: Token | undefined;

  constructor(
    context: TaskContext,
    identity: Identity,
    service: string,
    scope = 'https://management.azure.com/.default',
  ) {
    this.#context = context;
    this.#identity = identity;
    this.#service = service;
    this.#scope = scope;
  }

  send(request: AzureRequest): Promise<OutboundResponse> {
    return sendAzure(
      this.#context,
      this.#service,
      async (_, headers) => {
        if (!this.#token || Date.now() > this.#token.expiresAt - 60_000)
          this.#token = await getToken(this.#context, this.#identity, this.#scope);
        return { headers: { ...headers, authorization: `Bearer ${this.#token.value}` } };
      },
      request,
    );
  }

  async json<S extends z.ZodType>(
    request: Omit<AzureRequest, 'body'>,
    body: unknown,
    output: S,
  ): Promise<z.infer<S>> {
    const response = await this.send({
      ...request,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json', ...request.headers },
        body: JSON.stringify(body),
      }),
    });
    return readJson(response, output);
  }

  /** The items of a list that the service returns page by page, at most `limit`. */
  async pages<S extends z.ZodType>(
    { action, url: first }: Pick<AzureRequest, 'action' | 'url'>,
    item: S,
    limit: number,
  ): Promise<z.infer<S>[]> {
    const Page = z.object({ value: z.array(item).default([]), nextLink: z.string().nullish() });
    const found: z.infer<S>[] = [];
    for (let url: string | undefined = first; url !== undefined && found.length < limit; ) {
      const page: z.infer<typeof Page> = await this.json({ action, method: 'GET', url }, undefined, Page);
      found.push(...page.value);
      url = page.nextLink ? sameOrigin(first, page.nextLink) : undefined;
    }
    return found.slice(0, limit);
  }
}

/** The token must reach no other host, whatever the service names. */
function sameOrigin(first: string, next: string): string {
  const { pathname, search } = new URL(next, first);
  return `${new URL(first).origin}${pathname}${search}`;
}

/** The path of a resource; names are encoded, so they cannot address another resource. */
export function resourcePath(...names: readonly (string | undefined)[]): string {
  return names
    .map((name) => {
      if (name === undefined || name === '')
        throw new TaskFailed('A part of the resource’s name is missing.', { retry: false });
      return `/${encodeURIComponent(name)}`;
    })
    .join('');
}

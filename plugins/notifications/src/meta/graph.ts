import {
  dropMissing,
  type JsonMap,
  mapIn,
  mapsIn,
  type TaskContext,
  TaskFailed,
  text,
  textOf,
} from '@millrace/plugin-kit';
import { askService } from '../base/readResponse.ts';

const tokenProperty = () => text().describe('The access token. Keep it in a secret.');
const versionProperty = () => text().default('v24.0').describe('The version of the Graph API.');

/** The properties of every task for a Facebook page. */
export const facebookPage = {
  pageId: text().describe('The id of the page.'),
  accessToken: tokenProperty(),
  apiVersion: versionProperty(),
  apiBaseUrl: text().default('https://graph.facebook.com').describe('The address of the Graph API.'),
};

/** The properties of every task for an Instagram account. */
export const instagramAccount = {
  igId: text().describe('The id of the Instagram account.'),
  accessToken: tokenProperty(),
  apiVersion: versionProperty(),
  host: text().default('https://graph.facebook.com').describe('The address of the Graph API.'),
};

interface GraphLogin {
  readonly accessToken: string;
  readonly apiVersion: string;
  readonly base: string;
}

export const facebookLogin = (input: {
  accessToken: string;
  apiVersion: string;
  apiBaseUrl: string;
}): GraphLogin => ({
  accessToken: input.accessToken,
  apiVersion: input.apiVersion,
  base: input.apiBaseUrl,
});

export const instagramLogin = (input: {
  accessToken: string;
  apiVersion: string;
  host: string;
}): GraphLogin => ({
  accessToken: input.accessToken,
  apiVersion: input.apiVersion,
  base: input.host,
});

interface GraphCall {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly query?: JsonMap;
  readonly body?: JsonMap;
}

/** One call of the Graph API. The token goes in a header, so that no address in a log holds it. */
export function callGraph(context: TaskContext, login: GraphLogin, call: GraphCall): Promise<JsonMap> {
  const { method = 'GET', path, query = {}, body } = call;
  const url = new URL(`${login.base.replace(/\/+$/, '')}/${login.apiVersion}/${path}`);
  for (const [name, value] of Object.entries(dropMissing(query))) url.searchParams.set(name, String(value));
  return askService(context, {
    service: 'Meta',
    url: url.href,
    method,
    headers: { authorization: `Bearer ${login.accessToken}` },
    ...(body && { body: dropMissing(body) }),
    secrets: [login.accessToken],
  });
}

/** Streams the rows of a list page by page, up to the requested number. */
export async function* listGraph(
  context: TaskContext,
  login: GraphLogin,
  call: GraphCall & { readonly limit: number },
): AsyncIterable<JsonMap> {
  let left = call.limit;
  for (let after: string | undefined; left > 0; ) {
    const query = { ...call.query, limit: Math.min(left, 100), after };
    const answer = await callGraph(context, login, { ...call, query });
    const rows = mapsIn(answer.data).slice(0, left);
    yield* rows;
    left -= rows.length;
    const paging = mapIn(answer.paging);
    after = textOf(mapIn(paging.cursors).after);
    if (rows.length === 0 || after === undefined || paging.next === undefined) return;
  }
}

export function idIn(answer: JsonMap, what: string): string {
  const id = textOf(answer.id);
  if (id === undefined) throw new TaskFailed(`Meta did not return the id of the ${what}.`);
  return id;
}

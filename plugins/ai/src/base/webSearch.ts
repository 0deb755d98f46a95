import { integer, type TaskContext, text } from '@millrace/plugin-kit';
import { callJson, mapsIn, textIn } from './callJson.ts';

export interface WebResult {
  readonly title: string;
  readonly url: string;
  readonly content: string;
}

export interface WebSearch {
  search(query: string, maxResults: number): Promise<readonly WebResult[]>;
}

export const tavilyProperties = () => ({ apiKey: text().describe('The API key of Tavily.') });

export function tavily(context: TaskContext, { apiKey }: { readonly apiKey: string }): WebSearch {
  context.masker.add(apiKey);
  return {
    async search(query, maxResults) {
      const { body } = await callJson(context, {
        service: 'Tavily',
        url: 'https://api.tavily.com/search',
        headers: { authorization: `Bearer ${apiKey}` },
        body: { query, max_results: maxResults },
      });
      return mapsIn(body.results).map((one) => ({
        title: textIn(one.title),
        url: textIn(one.url),
        content: textIn(one.content),
      }));
    },
  };
}

export const googleProperties = () => ({
  csi: text().describe('The id of the Programmable Search Engine.'),
  apiKey: text().describe('The API key of Google.'),
});

export function googleSearch(
  context: TaskContext,
  { csi, apiKey }: { readonly csi: string; readonly apiKey: string },
): WebSearch {
  context.masker.add(apiKey);
  return {
    async search(query, maxResults) {
      const num = String(Math.min(maxResults, 10));
      const search = new URLSearchParams({ key: apiKey, cx: csi, q: query, num });
      const { body } = await callJson(context, {
        service: 'Google Search',
        url: `https://www.googleapis.com/customsearch/v1?${search}`,
      });
      return mapsIn(body.items).map((one) => ({
        title: textIn(one.title),
        url: textIn(one.link),
        content: textIn(one.snippet),
      }));
    },
  };
}

export const maxResultsProperty = () =>
  integer({ min: 1 }).default(3).describe('The most texts that are returned.');

import { type AdditionalDefinition, defineAdditional } from '@millrace/plugin-kit';
import { z } from 'zod';
import { agentWith } from '../base/example.ts';
import { objectSchema, type ToolSource, toolPlace } from '../base/tool.ts';
import {
  googleProperties,
  googleSearch,
  tavily,
  tavilyProperties,
  type WebSearch,
} from '../base/webSearch.ts';

const results = 5;

const toolOf = (service: WebSearch): ToolSource => ({
  tools: [
    {
      name: 'searchWeb',
      description: 'Searches the web and returns titles, addresses and excerpts of pages.',
      inputSchema: objectSchema({ query: { type: 'string', description: 'What to search for.' } }),
      execute: async ({ query }) => JSON.stringify(await service.search(String(query), results)),
    },
  ],
});

const tavilyTool = defineAdditional({
  place: toolPlace,
  type: 'ai.tool.TavilyWebSearch',
  aliases: ['langchain4j.tool.TavilyWebSearch'],
  title: 'Let the model search the web with Tavily',
  description: 'The model gives a query and gets titles, addresses and excerpts of pages.',
  input: () => z.object(tavilyProperties()),
  examples: [
    agentWith(
      'with_tavily',
      'What is new in PostgreSQL?',
      `- type: ai.tool.TavilyWebSearch\n  apiKey: "{{ secret('TAVILY_API_KEY') }}"`,
    ),
  ],
  create: (context, input) => toolOf(tavily(context, input)),
});

const googleTool = defineAdditional({
  place: toolPlace,
  type: 'ai.tool.GoogleCustomWebSearch',
  aliases: ['langchain4j.tool.GoogleCustomWebSearch'],
  title: 'Let the model search the web with Google',
  description: 'The model gives a query and gets titles, addresses and excerpts of pages.',
  input: () => z.object(googleProperties()),
  examples: [
    agentWith(
      'with_google',
      'What is new in PostgreSQL?',
      `- type: ai.tool.GoogleCustomWebSearch
  apiKey: "{{ secret('GOOGLE_API_KEY') }}"
  csi: "{{ secret('GOOGLE_SEARCH_ENGINE') }}"`,
    ),
  ],
  create: (context, input) => toolOf(googleSearch(context, input)),
});

export const webSearchTools: readonly AdditionalDefinition[] = [tavilyTool, googleTool];

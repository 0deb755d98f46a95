import type { ModelRequest, Step } from '@millrace/plugin-ai/testing';
import { expect } from 'vitest';
import type { Case, Cases, Running } from './case.ts';
import { failIn } from './webCases.ts';

type Script = readonly Step[] | ((request: ModelRequest, count: number) => Step);

/** A blueprint whose model responds from a script. Requests to OpenAI arrive at a server with its API. */
const withModel = (script: Script, more: Case = {}): Case => ({
  ...more,
  before: async (running) => {
    const { model } = await running.services.model();
    model.play(script);
    running.services.internet.on(
      /^POST https:\/\/api\.openai\.com\/v1\//,
      async ({ call, text, headers }) => {
        const path = call.slice('POST https://api.openai.com/v1'.length);
        const response = await fetch(`${model.url}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: String(headers.authorization) },
          body: text,
        });
        const type = String(response.headers.get('content-type'));
        return { status: response.status, headers: { 'content-type': type }, body: await response.text() };
      },
    );
    await more.before?.(running);
  },
});

/** The model calls the first tool whose name contains a word, and then writes a text. */
const callThenSay =
  (word: string, args: unknown, text: string): Script =>
  ({ body }, count) => {
    const tools = (body.tools ?? []) as { function: { name: string } }[];
    const name = tools.map((tool) => tool.function.name).find((each) => each.includes(word));
    if (count > 0) return { text };
    return name === undefined
      ? { text: `There is no tool ${word}.` }
      : { calls: [{ name, arguments: args }] };
  };

const lastRequest = async ({ services }: Running) =>
  JSON.stringify((await services.model()).model.bodies.at(-1));

export const aiCases: Cases = {
  'agent-that-starts-flows': withModel(callThenSay('greet', { name: 'Ada' }, 'Ada was greeted.'), {
    before: async ({ server }) => {
      await server.saveFlow(
        'id: greet\nnamespace: company.team\ninputs:\n  - id: name\n    type: STRING\ntasks:\n  - id: hello\n    type: core.log.Log\n    message: "Hello {{ inputs.name }}"\n',
      );
    },
    check: async ({ messages }, { server }) => {
      expect(messages).toContain('Ada was greeted.');
      const found = await server.call('GET', '/executions/search?namespace=company.team&flowId=greet');
      expect(found.body.total).toBe(1);
    },
  }),
  'chat-with-documents': withModel([{ text: 'From nine to five.' }], {
    before: ({ services }) =>
      services.internet.on('GET https://example.com/handbook.md', {
        headers: { 'content-type': 'text/markdown' },
        body: 'The office is open from nine to five.\n',
      }),
    check: async ({ messages }, running) => {
      expect(messages).toContain('From nine to five.');
      expect(await lastRequest(running)).toContain('open from nine to five');
    },
  }),
  'explain-failures-with-ai': withModel([{ text: 'The file is broken; send it again.' }], {
    cause: (running) => failIn(running, 'company.team'),
    check: ({ messages }) => expect(messages).toContain('failing: The file is broken; send it again.'),
  }),
  'invoice-fields-with-ai': withModel(
    [{ text: '{"number": "R-1", "date": "2026-01-31", "total": 90.5, "currency": "EUR"}' }],
    {
      inputs: { invoice: { fileName: 'invoice.pdf', content: '%PDF-1.4 an invoice' } },
      check: ({ messages }) => expect(messages).toContain('Invoice R-1: 90.5 EUR'),
    },
  ),
  'mcp-tools-in-a-flow': withModel(callThenSay('echo', { message: 'sunny' }, 'It is sunny.'), {
    edits: async (services) => [
      ['https://mcp.example.com/mcp', `http://127.0.0.1:${(await services.mcp()).port}/mcp`],
    ],
    check: async ({ messages }, running) => {
      expect(messages.join()).toMatch(/\d+ tools: It is sunny\./);
      expect(await lastRequest(running)).toContain('sunny');
    },
  }),
  'research-agent-with-memory': withModel(
    callThenSay('', { query: 'PostgreSQL' }, 'Much is new (example.com).'),
    {
      before: ({ services }) =>
        services.internet.on('POST https://api.tavily.com/search', {
          body: { results: [{ title: 'News', url: 'https://example.com', content: 'Much is new.' }] },
        }),
      check: async ({ messages }, running) => {
        expect(messages).toContain('Much is new (example.com).');
        expect(await lastRequest(running)).toContain('https://example.com');
      },
    },
  ),
  'sort-support-tickets-with-ai': withModel([{ text: 'billing' }], {
    check: ({ messages }) => expect(messages).toContain('Billing: My invoice shows the wrong address.'),
  }),
};

import { defineAdditional, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { callJson, mapIn, textIn } from '../base/callJson.ts';
import { agentWith } from '../base/example.ts';
import { objectSchema, type ToolSource, toolPlace } from '../base/tool.ts';

const host = 'judge0-ce.p.rapidapi.com';
/** JavaScript (Node.js) in Judge0. */
const languageId = 102;

export const codeExecution = defineAdditional({
  place: toolPlace,
  type: 'ai.tool.CodeExecution',
  title: 'Let the model run code',
  description:
    'The model writes JavaScript, which Judge0 runs outside of this server; the model gets what the code prints. Needs a key of Judge0 on RapidAPI.',
  input: () => z.object({ apiKey: text().describe('The API key of RapidAPI.') }),
  examples: [
    agentWith(
      'runs_code',
      'What is the sum of the first 100 prime numbers?',
      `- type: ai.tool.CodeExecution\n  apiKey: "{{ secret('RAPID_API_KEY') }}"`,
    ),
  ],
  create: (context, { apiKey }): ToolSource => {
    context.masker.add(apiKey);
    return {
      tools: [
        {
          name: 'executeJavaScriptCode',
          description: 'Runs JavaScript code with Node.js and returns what it prints with console.log.',
          inputSchema: objectSchema({ code: { type: 'string', description: 'The whole program.' } }),
          execute: async ({ code }) => {
            const { body } = await callJson(context, {
              service: 'Judge0',
              url: `https://${host}/submissions?base64_encoded=true&wait=true&fields=*`,
              headers: { 'x-rapidapi-key': apiKey, 'x-rapidapi-host': host },
              body: {
                language_id: languageId,
                source_code: Buffer.from(String(code)).toString('base64'),
              },
            });
            const decoded = (value: unknown) => Buffer.from(textIn(value), 'base64').toString('utf8');
            const printed = decoded(body.stdout);
            if (printed !== '') return printed;
            // Returns the error so that the model can fix its program.
            const problem = decoded(body.stderr) || decoded(body.compile_output) || decoded(body.message);
            return problem || `Nothing was printed (${textIn(mapIn(body.status).description)}).`;
          },
        },
      ],
    };
  },
});

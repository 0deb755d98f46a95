import { defineAdditional, type TaskContext, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { callJson, textIn } from '../base/callJson.ts';
import { askProvider } from '../base/example.ts';
import { fetchOf } from '../base/httpFetch.ts';
import { certificatesOf, modelPlace, modelProperties } from '../base/modelProvider.ts';
import { openAILike } from './openaiLike.ts';

const apiVersion = '2024-10-10';

export const watsonxAI = defineAdditional({
  place: modelPlace,
  type: 'ai.provider.WatsonxAI',
  title: 'Models of IBM watsonx.ai',
  description: 'Chat models of IBM watsonx.ai. Responses are read as a whole.',
  input: () =>
    z.object({
      ...modelProperties(),
      apiKey: text().describe('The API key of IBM Cloud.'),
      projectId: text().describe('The id of the project.'),
      baseUrl: text()
        .default('https://us-south.ml.cloud.ibm.com')
        .describe('The address of the API in your region.'),
    }),
  examples: [
    askProvider(
      'watsonx',
      'ai.provider.WatsonxAI',
      `modelName: ibm/granite-3-8b-instruct
apiKey: "{{ secret('IBM_API_KEY') }}"
projectId: "{{ secret('WATSONX_PROJECT') }}"`,
    ),
  ],
  create: async (context, { apiKey, projectId, baseUrl, ...input }) => {
    const { embedding: _, ...provider } = openAILike(context, {
      name: 'watsonx.ai',
      ...input,
      apiKey: await signIn(context, apiKey),
      baseUrl: `${baseUrl.replace(/\/+$/, '')}/ml/v1/text`,
      query: { version: apiVersion },
      canStream: false,
      transform: ({ model, ...body }) => ({ ...body, model_id: model, project_id: projectId }),
      // The path of the call is the only other difference to the API of OpenAI.
      fetch: (running) => {
        const send = fetchOf(running, certificatesOf(input));
        return (url, init) => send(String(url).replace('/chat/completions', '/chat'), init);
      },
    });
    return provider;
  },
});

async function signIn(context: TaskContext, apiKey: string): Promise<string> {
  context.masker.add(apiKey);
  const { body } = await callJson(context, {
    service: 'IBM Cloud',
    url: 'https://iam.cloud.ibm.com/identity/token',
    body: new URLSearchParams({ grant_type: 'urn:ibm:params:oauth:grant-type:apikey', apikey: apiKey }),
  });
  return textIn(body.access_token);
}

import { defineAdditional, type TaskContext, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { callJson, textIn } from '../base/callJson.ts';
import { askProvider } from '../base/example.ts';
import { baseUrlProperty, modelPlace, modelProperties } from '../base/modelProvider.ts';
import { openAILike } from './openaiLike.ts';

export const azureOpenAI = defineAdditional({
  place: modelPlace,
  type: 'ai.provider.AzureOpenAI',
  aliases: ['langchain4j.provider.AzureOpenAI'],
  title: 'Models of Azure OpenAI',
  description:
    'Chat, embedding and image models of Azure OpenAI. `modelName` is the name of the deployment. Sign in with `apiKey`, or with `tenantId`, `clientId` and `clientSecret` of an application of Microsoft Entra.',
  input: () =>
    z.object({
      ...modelProperties(),
      apiKey: text().optional().describe('The API key.'),
      endpoint: text().describe('The address of the resource, such as `https://name.openai.azure.com`.'),
      serviceVersion: text()
        .default('2024-10-21')
        .describe('The version of the API, as the query parameter `api-version`.'),
      tenantId: text().optional().describe('The tenant of the application.'),
      clientId: text().optional().describe('The id of the application.'),
      clientSecret: text().optional().describe('The secret of the application.'),
      baseUrl: baseUrlProperty(),
    }),
  examples: [
    askProvider(
      'azure',
      'ai.provider.AzureOpenAI',
      `modelName: my-deployment
endpoint: https://my-resource.openai.azure.com
apiKey: "{{ secret('AZURE_OPENAI_API_KEY') }}"`,
    ),
  ],
  create: async (context, { endpoint, serviceVersion, apiKey, baseUrl, ...input }) =>
    openAILike(context, {
      name: 'Azure OpenAI',
      modelName: input.modelName,
      clientPem: input.clientPem,
      caPem: input.caPem,
      baseUrl: `${(baseUrl ?? endpoint).replace(/\/+$/, '')}/openai/deployments/${encodeURIComponent(input.modelName)}`,
      query: { 'api-version': serviceVersion },
      headers: apiKey ? { 'api-key': apiKey } : { authorization: `Bearer ${await signIn(context, input)}` },
      hasImages: true,
    }),
});

interface Application {
  readonly tenantId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
}

async function signIn(
  context: TaskContext,
  { tenantId, clientId, clientSecret }: Application,
): Promise<string> {
  if (!tenantId || !clientId || !clientSecret)
    throw new TaskFailed('Azure OpenAI needs "apiKey", or "tenantId", "clientId" and "clientSecret".', {
      retry: false,
    });
  context.masker.add(clientSecret);
  const { body } = await callJson(context, {
    service: 'Microsoft Entra',
    url: `https://login.microsoftonline.com/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`,
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      scope: 'https://cognitiveservices.azure.com/.default',
    }),
  });
  return textIn(body.access_token);
}

import { defineTask, listOf, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { taskExample } from '../client/example.ts';
import { getToken, identityProperties } from '../client/identity.ts';

export const oauthAccessToken = defineTask({
  type: 'azure.auth.OauthAccessToken',
  title: 'Get a token of Microsoft Entra ID',
  description: 'Returns a token for other services of Azure. The output is stored encrypted.',
  input: () =>
    z.object({
      ...identityProperties,
      scopes: listOf(text(), { min: 1 })
        .default(['https://management.azure.com/.default'])
        .describe('What the token is for.'),
    }),
  output: () =>
    z.object({
      accessToken: z
        .object({
          scopes: z.array(z.string()).describe('What the token is for.'),
          tokenValue: z.unknown().describe('The token.'),
          expirationTime: z.string().describe('Until when it is valid.'),
        })
        .describe('The token.'),
    }),
  sideEffects: true,
  examples: [
    taskExample('azure.auth.OauthAccessToken', 'Get a token.', [
      'scopes:',
      '  - https://graph.microsoft.com/.default',
    ]),
  ],
  async run(context, { scopes, ...identity }) {
    const { value, expiresAt } = await getToken(context, identity, scopes.join(' '));
    const expirationTime = new Date(expiresAt).toISOString();
    return { accessToken: { scopes, tokenValue: context.seal(value), expirationTime } };
  },
});

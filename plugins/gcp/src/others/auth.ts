import { z } from 'zod';
import { fetchToken } from '../google/credentials.ts';
import { defineGcpTask, taskExample } from '../google/define.ts';

export const oauthAccessToken = defineGcpTask({
  type: 'gcp.auth.OauthAccessToken',
  title: 'Get an access token of Google',
  description: `Returns an OAuth access token, for calls of Google APIs that have no task. The token is stored encrypted and covered in logs: read it as
\`outputs.<task>.accessToken.tokenValue\`.`,
  properties: {},
  output: () =>
    z.object({
      accessToken: z
        .object({
          scopes: z.array(z.string()).describe('The scopes.'),
          tokenValue: z.unknown().describe('The token.'),
          expirationTime: z.string().describe('When it expires.'),
        })
        .describe('The token.'),
    }),
  examples: [
    taskExample(
      'gcp.auth.OauthAccessToken',
      'Call an API of Google.',
      'scopes:\n  - https://www.googleapis.com/auth/cloud-platform',
      {
        then: `- id: call
  type: core.http.Request
  uri: https://cloudbuild.googleapis.com/v1/projects/my-project/builds
  headers:
    authorization: "Bearer {{ outputs.oauthaccesstoken.accessToken.tokenValue }}"`,
      },
    ),
  ],
  async run(_, input, context) {
    const { value, expiresAt } = await fetchToken(context, input);
    return {
      accessToken: {
        scopes: [...input.scopes],
        tokenValue: context.seal(value),
        expirationTime: new Date(expiresAt).toISOString(),
      },
    };
  },
});

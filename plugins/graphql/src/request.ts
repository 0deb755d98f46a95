import { anything, defineTask, flag, mapOf, type TaskContext, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';

export const graphqlRequest = defineTask({
  type: 'graphql.Request',
  title: 'Send a GraphQL query',
  description:
    'Sends a query with its variables to a GraphQL server. HTTP options are those of `core.http.Request`. Errors of the response are in the output `error`; with `failOnGraphQLErrors` they fail the task.',
  input: () =>
    z.object({
      uri: text().describe('The address of the GraphQL server.'),
      query: text().describe('The query or mutation.'),
      variables: mapOf(z.unknown()).optional().describe('The variables of the query.'),
      operationName: text().optional().describe('The operation to run if the query has several.'),
      failOnGraphQLErrors: flag().default(false).describe('Fail if the response has errors.'),
      method: text().default('POST').describe('The method of the request.'),
      headers: mapOf(text()).optional().describe('Headers of the request.'),
      params: mapOf(text()).optional().describe('Query parameters of the address.'),
      contentType: text().default('application/json').describe('The type of the body.'),
      body: text()
        .optional()
        .describe('Accepted for compatibility: the body is the query and its variables.'),
      formData: mapOf(z.unknown())
        .optional()
        .describe('Accepted for compatibility: the body is the query and its variables.'),
      encryptBody: flag().default(false).describe('Store the body of the response encrypted.'),
      options: anything()
        .optional()
        .describe('Timeouts, proxy, authentication and other options, as in `core.http.Request`.'),
    }),
  output: () =>
    z.object({
      uri: z.string().describe('The address that responded, after redirects.'),
      code: z.number().describe('The status.'),
      headers: z.record(z.string(), z.array(z.string())).describe('The headers of the response.'),
      body: z.unknown().describe('The data of the response; null if it is encrypted.'),
      error: z.unknown().optional().describe('The errors of the response.'),
      encryptedBody: z
        .unknown()
        .optional()
        .describe('The data of the response, stored encrypted, with `encryptBody`.'),
    }),
  sideEffects: true,
  examples: [
    {
      title: 'Query a user.',
      runs: false,
      code: `id: graphql
namespace: company.team

tasks:
  - id: user
    type: graphql.Request
    uri: https://api.example.com/graphql
    query: |
      query user($id: ID!) {
        user(id: $id) { name }
      }
    variables:
      id: "42"
    failOnGraphQLErrors: true

  - id: show
    type: core.log.Log
    message: "{{ outputs.user.body.user.name }}"
`,
    },
  ],
  async run(context, input) {
    const { query, variables = {}, operationName, failOnGraphQLErrors, encryptBody, ...http } = input;
    const { body: _, formData: __, params = {}, ...request } = http;
    const sent = { query, variables, ...(operationName !== undefined && { operationName }) };
    const response = await send(context, {
      ...request,
      uri: withParameters(request.uri, params),
      body: JSON.stringify(sent),
    });
    const result = parse(response.body);
    if (result.errors !== undefined && failOnGraphQLErrors)
      throw new TaskFailed(
        `The GraphQL server reports errors: ${JSON.stringify(result.errors).slice(0, 2000)}`,
        { retry: false },
      );
    return {
      uri: response.uri,
      code: response.code,
      headers: response.headers,
      body: encryptBody ? null : (result.data ?? null),
      ...(result.errors !== undefined && { error: result.errors }),
      ...(encryptBody && { encryptedBody: context.seal(JSON.stringify(result.data ?? null)) }),
    };
  },
});

function withParameters(uri: string, parameters: Readonly<Record<string, string>>): string {
  if (Object.keys(parameters).length === 0 || !URL.canParse(uri)) return uri;
  const url = new URL(uri);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

interface HttpResponse {
  readonly uri: string;
  readonly code: number;
  readonly headers: Record<string, string[]>;
  readonly body: string | null;
}

/** Uses the built-in HTTP task, so that every option has the same meaning. */
async function send(
  context: TaskContext,
  properties: Readonly<Record<string, unknown>>,
): Promise<HttpResponse> {
  const http = context.findType('core.http.Request');
  if (http?.kind !== 'task' || http.role !== 'task')
    throw new TaskFailed('GraphQL needs the type core.http.Request, which this server leaves out.', {
      retry: false,
    });
  const present = Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined));
  const read = http.input.safeParse(present);
  if (!read.success)
    throw new TaskFailed(
      `Invalid properties of graphql.Request: ${read.error.issues.map(({ path, message }) => `"${path.join('.')}" ${message}`).join('; ')}`,
      { retry: false },
    );
  return (await http.run(context, read.data)) as unknown as HttpResponse; // the outputs of that type
}

function parse(body: string | null): { data?: unknown; errors?: unknown } {
  try {
    const value: unknown = JSON.parse(body ?? '');
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Reported below.
  }
  throw new TaskFailed(`The response is not valid GraphQL: ${(body ?? '').slice(0, 200)}`);
}

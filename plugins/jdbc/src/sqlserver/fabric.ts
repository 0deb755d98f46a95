import { choice, defineTask, messageOf, type TaskContext, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { fetchTypes, keepRows } from '../base/keepRows.ts';
import { serverZone } from '../base/timeZone.ts';
import { openSqlServerSession } from './session.ts';

const hostOf = (sqlEndpointId: string): string =>
  sqlEndpointId.includes('.') ? sqlEndpointId : `${sqlEndpointId}.datawarehouse.fabric.microsoft.com`;

export const fabricQuery = defineTask({
  type: 'microsoft.fabric.warehouse.Query',
  title: 'Query a warehouse of Microsoft Fabric',
  description: `Runs a query in a warehouse or the SQL endpoint of a lakehouse, with the login of an application of Microsoft Entra ID. The application needs
access to the workspace, and service principals must be allowed in the settings of the tenant.`,
  input: () =>
    z.object({
      tenantId: text().optional().describe('The id of the directory (tenant) of Microsoft Entra ID.'),
      clientId: text().optional().describe('The id of the application.'),
      clientSecret: text().optional().describe('A secret of the application.'),
      sqlEndpointId: text().describe(
        'The SQL endpoint: the first part of the SQL connection string, or the whole of it.',
      ),
      warehouseId: text().describe('The name of the warehouse or lakehouse, which is the database.'),
      sql: text().describe('The query.'),
      fetchType: choice(fetchTypes)
        .default('STORE')
        .describe('How to return the rows: a file, all in the outputs, the first, or nothing.'),
    }),
  output: () =>
    z.object({
      uri: z.string().optional().describe('The file with one row a line, with `STORE`.'),
      rows: z.array(z.record(z.string(), z.unknown())).optional().describe('The rows, with `FETCH`.'),
      row: z.record(z.string(), z.unknown()).optional().describe('The first row, with `FETCH_ONE`.'),
      size: z.number().optional().describe('How many rows there are.'),
    }),
  metrics: [{ name: 'rows', type: 'counter', description: 'How many rows there were.' }],
  sideEffects: true,
  examples: [
    {
      title: 'Store the orders of a day.',
      runs: false,
      code: `id: fabric_warehouse_query
namespace: company.team

tasks:
  - id: orders
    type: microsoft.fabric.warehouse.Query
    tenantId: "{{ secret('AZURE_TENANT_ID') }}"
    clientId: "{{ secret('AZURE_CLIENT_ID') }}"
    clientSecret: "{{ secret('AZURE_CLIENT_SECRET') }}"
    sqlEndpointId: abcdefgh123-xyz
    warehouseId: shop
    sql: SELECT * FROM orders WHERE day = '2026-01-31'
`,
    },
  ],
  run: async (context, input) => {
    const host = hostOf(input.sqlEndpointId);
    const session = await openSqlServerSession(context, {
      host,
      port: 1433,
      instance: undefined,
      user: '',
      password: '',
      accessToken: await fetchToken(context, input),
      domain: undefined,
      database: input.warehouseId,
      encrypt: true,
      trustsAny: false,
      certificateName: undefined,
      authorities: undefined,
      zone: serverZone(),
    }).catch((error: unknown) => {
      context.signal.throwIfAborted();
      throw new TaskFailed(`Microsoft Fabric at ${host}: ${messageOf(error)}`, { cause: error });
    });
    const stop = () => void session.cancel().catch(() => {});
    context.signal.addEventListener('abort', stop, { once: true });
    try {
      const batches = await session.run({ sql: input.sql, values: [], fetchSize: 1_000 });
      if (!batches) return {};
      const { row, ...kept } = await keepRows(context, input.fetchType, batches);
      if (kept.size !== undefined) context.metric({ name: 'rows', type: 'counter', value: kept.size });
      return { ...kept, ...(row && { row }) };
    } finally {
      context.signal.removeEventListener('abort', stop);
      await session.close();
    }
  },
});

interface Login {
  readonly tenantId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
}

async function fetchToken(
  context: TaskContext,
  { tenantId, clientId, clientSecret }: Login,
): Promise<string> {
  if (!tenantId || !clientId || !clientSecret)
    throw new TaskFailed('"tenantId", "clientId" and "clientSecret" must be given.', { retry: false });
  context.masker.add(clientSecret);
  const response = await context.fetch({
    url: `https://login.microsoftonline.com/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      scope: 'https://database.windows.net/.default',
    }).toString(),
    signal: context.signal,
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  const { data } = Token.safeParse(readJson(Buffer.concat(chunks).toString('utf8')));
  if (data?.access_token === undefined)
    throw new TaskFailed(
      `Microsoft Entra ID refused the login: ${data?.error_description ?? data?.error ?? `status ${response.status}`}`,
      { retry: response.status >= 500 },
    );
  context.masker.add(data.access_token);
  return data.access_token;
}

const Token = z.looseObject({
  access_token: z.string().optional(),
  error: z.string().optional(),
  error_description: z.string().optional(),
});

function readJson(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return undefined;
  }
}

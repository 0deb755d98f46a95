import { type OutboundResponse, type TaskContext, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { type Authorize, type AzureRequest, sendAzure } from './http.ts';
import { getToken, type Token } from './identity.ts';
import { signSharedKey, signTable } from './sharedKey.ts';

/** How a task reaches a storage account. */
export const storageProperties = {
  endpoint: text()
    .optional()
    .describe(
      'The address, such as `https://account.blob.core.windows.net`; that of `connectionString` when absent.',
    ),
  connectionString: text().optional().describe('The connection string of the account.'),
  sharedKeyAccountName: text().optional().describe('The name of the account.'),
  sharedKeyAccountAccessKey: text().optional().describe('The key of the account.'),
  sasToken: text().optional().describe('A shared access signature.'),
};

const Connection = z.object(storageProperties);
export type StorageConnection = z.infer<typeof Connection>;
export type StorageKind = 'blob' | 'dfs' | 'table';

const titles = { blob: 'Blob Storage', dfs: 'Data Lake Storage', table: 'Table Storage' } as const;
const version = '2023-11-03';
const development = {
  AccountName: 'devstoreaccount1',
  AccountKey: 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
  BlobEndpoint: 'http://127.0.0.1:10000/devstoreaccount1',
  TableEndpoint: 'http://127.0.0.1:10002/devstoreaccount1',
};

export function readConnectionString(text: string): Readonly<Record<string, string>> {
  const parts = text.split(';').flatMap((part) => {
    const at = part.indexOf('=');
    return at < 0 ? [] : [[part.slice(0, at).trim(), part.slice(at + 1).trim()] as const];
  });
  const settings = Object.fromEntries(parts);
  return settings.UseDevelopmentStorage === 'true' ? { ...development, ...settings } : settings;
}

/** Calls to one storage account, signed according to the connection. */
export class Storage {
  readonly context: TaskContext;
  readonly base: string;
  /** For signatures that tasks hand out. */
  readonly sharedKey: { readonly account: string; readonly key: string } | undefined;
  readonly #connection: StorageConnection;
  readonly #kind: StorageKind;
  readonly #sas: string | undefined;
  #token: Promise<Token> | undefined;

  constructor(context: TaskContext, connection: StorageConnection, kind: StorageKind) {
    const settings = readConnectionString(connection.connectionString ?? '');
    const account = connection.sharedKeyAccountName ?? settings.AccountName;
    const key = connection.sharedKeyAccountAccessKey ?? settings.AccountKey;
    for (const secret of [key, connection.sasToken, settings.SharedAccessSignature])
      if (secret) context.masker.add(secret);
    this.context = context;
    this.#connection = connection;
    this.#kind = kind;
    this.base = baseOf(connection, settings, kind);
    this.sharedKey = account && key ? { account, key } : undefined;
    this.#sas = this.sharedKey
      ? undefined
      : (connection.sasToken ?? settings.SharedAccessSignature)?.replace(/^\?/, '');
  }

  /** The same account for the short work that a killed task still has to do. */
  forCleanup(): Storage {
    const context = { ...this.context, signal: AbortSignal.timeout(1_500) };
    return new Storage(context, this.#connection, this.#kind);
  }

  /** An address below the account; names are encoded, the query is added. */
  url(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
    const search = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`],
    );
    return `${this.base}${path}${search.length > 0 ? `?${search.join('&')}` : ''}`;
  }

  send(request: AzureRequest): Promise<OutboundResponse> {
    return sendAzure(this.context, titles[this.#kind], this.#authorize, request);
  }

  /** The address with the authorization that another service needs to read it. */
  readable(url: string): string {
    return this.#sas === undefined ? url : `${url}${url.includes('?') ? '&' : '?'}${this.#sas}`;
  }

  #authorize: Authorize = async ({ method, url }, given) => {
    const headers = { ...given, 'x-ms-date': new Date().toUTCString(), 'x-ms-version': version };
    if (this.sharedKey) {
      const sign = this.#kind === 'table' ? signTable : signSharedKey;
      return { headers: { ...headers, authorization: sign({ ...this.sharedKey, method, url, headers }) } };
    }
    if (this.#sas !== undefined) return { headers, url: this.readable(url) };
    const { value } = await this.#bearer();
    return { headers: { ...headers, authorization: `Bearer ${value}` } };
  };

  async #bearer(): Promise<Token> {
    const token = await this.#token;
    if (token && Date.now() < token.expiresAt - 60_000) return token;
    this.#token = getToken(this.context, {}, 'https://storage.azure.com/.default');
    return this.#token;
  }
}

function baseOf(
  { endpoint }: StorageConnection,
  settings: Readonly<Record<string, string>>,
  kind: StorageKind,
): string {
  const named = { blob: settings.BlobEndpoint, dfs: settings.DfsEndpoint, table: settings.TableEndpoint }[
    kind
  ];
  const {
    AccountName,
    DefaultEndpointsProtocol: protocol = 'https',
    EndpointSuffix: suffix = 'core.windows.net',
  } = settings;
  const made = AccountName && `${protocol}://${AccountName}.${kind}.${suffix}`;
  const found = endpoint ?? named ?? made;
  if (!found || !URL.canParse(found))
    throw new TaskFailed('"endpoint" or "connectionString" must name the storage account.', { retry: false });
  // The services of an account differ in one word of the host name.
  return found.replace(/\/+$/, '').replace(/\.(blob|dfs|table)\.(?=core\.|storage\.)/, `.${kind}.`);
}

/** Rejects `..` segments, which would address another container. */
export function encodePath(...names: readonly string[]): string {
  const steps = names.flatMap((name) => name.split('/'));
  if (steps.some((step) => step === '.' || step === '..'))
    throw new TaskFailed(`The name "${names.join('/')}" has "." or ".." as a step.`, { retry: false });
  return `/${steps.map(encodeURIComponent).join('/')}`;
}

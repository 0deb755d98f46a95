import Module, { createRequire } from 'node:module';

/** A call of the SDK: its arguments, and a callback at the end. */
type Api = Record<string, (...args: unknown[]) => unknown>;

/** Every class of the SDK is made from one thing: the client from an address, an API from the client. */
type Sdk = Readonly<Record<string, new (from: unknown) => unknown>>;

interface Loader {
  _resolveFilename(request: string, parent: { filename?: string } | undefined, ...rest: unknown[]): string;
}

/** Makes one call of an API of the SDK: `call('FlowsApi', 'getFlow', …)`. */
export type SdkCall = (api: string, method: string, ...args: unknown[]) => Promise<unknown>;

/** Kestra's published JavaScript client, talking to a server of ours. */
export function openSdk(url: string): SdkCall {
  const sdk = loadSdk();
  const { ApiClient } = sdk;
  if (!ApiClient) throw new Error('The SDK has no ApiClient.');
  const client = new ApiClient(url);
  return (api, method, ...args) =>
    new Promise((resolve, reject) => {
      const Chosen = sdk[api];
      const instance = Chosen && (new Chosen(client) as Api); // The SDK has no types.
      if (!instance?.[method]) throw new Error(`The SDK has no ${api}.${method}.`);
      instance[method](
        ...args,
        (error: unknown, data: unknown, response?: { ok: boolean; body: unknown }) => {
          if (!error) resolve(data);
          // Two of its parsers cannot read the response of any server; the call itself succeeded.
          else if (response?.ok) resolve(response.body);
          else reject(error);
        },
      );
    });
}

/**
 * The package was published without four models that its index imports, so it cannot be loaded unchanged.
 * Empty models are enough for every call made here.
 */
function loadSdk(): Sdk {
  const require = createRequire(import.meta.url);
  const loader = Module as unknown as Loader; // Not part of Node's types.
  const resolve = loader._resolveFilename;
  const emptyModel = require.resolve('./emptyModel.cjs');
  loader._resolveFilename = (request, parent, ...rest) => {
    try {
      return resolve.call(loader, request, parent, ...rest);
    } catch (error) {
      if (parent?.filename?.includes('kestra-sdk') && request.startsWith('.')) return emptyModel;
      throw error;
    }
  };
  try {
    return require('@kestra-io/kestra-sdk') as Sdk;
  } finally {
    loader._resolveFilename = resolve;
  }
}

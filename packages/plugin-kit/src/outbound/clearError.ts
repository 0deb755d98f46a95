/** Sentences for the codes with which connections fail; the code stays at the end for searches. */
const sentences: Readonly<Record<string, (host: string, address: string) => string>> = {
  ECONNREFUSED: (_, address) => `The connection to ${address} was refused`,
  ENOTFOUND: (host) => `The host "${host}" was not found`,
  EAI_AGAIN: (host) => `The host "${host}" could not be looked up`,
  ETIMEDOUT: (_, address) => `${address} did not respond in time`,
  EHOSTUNREACH: (_, address) => `${address} cannot be reached`,
  ENETUNREACH: (_, address) => `${address} cannot be reached`,
  ECONNRESET: (_, address) => `${address} closed the connection`,
};

/**
 * The same error with a sentence that names the host as its message. Node's own message may be empty: the error of a
 * host with several addresses contains only their errors.
 */
export function clearError(error: Error, host: string, port: number | string): Error {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const sentence = sentences[code];
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  if (sentence) error.message = `${sentence(host, address)} (${code}).`;
  return error;
}

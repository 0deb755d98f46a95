import { type LookupAddress, lookup as lookupHost } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { TaskFailed } from '../failure.ts';
import type { OutboundRules } from './policy.ts';

/** The name in a URL as an address or host: without the brackets of IPv6. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/** Rejects a URL whose host is a denied address. Host names are checked when they are resolved. */
export function checkUrl(url: URL, rules: OutboundRules): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TaskFailed(`The address ${url.href} must begin with http:// or https://.`, { retry: false });
  }
  const host = hostOf(url);
  const reason = rules.refuseHost(host) ?? (isIP(host) ? rules.refuseAddress(host, host) : undefined);
  if (reason) throw new TaskFailed(reason, { retry: false });
}

/**
 * A lookup for sockets that returns only allowed addresses. The socket connects to exactly the checked
 * address, which prevents DNS rebinding between check and use.
 */
export function createCheckedLookup(rules: OutboundRules): LookupFunction {
  return (hostname, options, callback) => {
    lookupHost(hostname, { ...options, all: true }, (error, found) => {
      // With `all` the result is always a list, which the types do not express.
      const addresses = (found ?? []) as LookupAddress[];
      if (error) return callback(error, '', 0);
      const reason = addresses.map(({ address }) => rules.refuseAddress(address, hostname)).find(Boolean);
      if (reason) return callback(new TaskFailed(reason, { retry: false }), '', 0);
      const [first] = addresses;
      if (options.all) return callback(null, addresses);
      return first
        ? callback(null, first.address, first.family)
        : callback(new Error(`No address for ${hostname}.`), '', 0);
    });
  };
}

/** The address of a name, when the rules allow it. */
export const lookUp = (lookup: LookupFunction, host: string): Promise<string> =>
  new Promise((resolve, reject) =>
    lookup(host, {}, (error, address) => (error ? reject(error) : resolve(String(address)))),
  );

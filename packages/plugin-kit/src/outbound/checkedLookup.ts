import { type LookupAddress, lookup as lookupHost } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { TaskFailed } from '../failure.ts';
import type { OutboundRules } from './policy.ts';

/** The name in a URL as an address or host: without the brackets of IPv6. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/** Refuses a URL whose host is an address that may not be called. Names are checked when they are looked up. */
export function checkUrl(url: URL, rules: OutboundRules): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TaskFailed(`The address ${url.href} must begin with http:// or https://.`, { retry: false });
  }
  const host = hostOf(url);
  const reason = rules.refuseHost(host) ?? (isIP(host) ? rules.refuseAddress(host, host) : undefined);
  if (reason) throw new TaskFailed(reason, { retry: false });
}

/**
 * A lookup for sockets that only answers with allowed addresses. The socket connects to exactly what was checked, so a name
 * that changes its address between check and use gains nothing.
 */
export function createCheckedLookup(rules: OutboundRules): LookupFunction {
  return (hostname, options, callback) => {
    lookupHost(hostname, { ...options, all: true }, (error, found) => {
      // `all` always gives a list; the types cannot tell.
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

import { BlockList, isIP, isIPv4 } from 'node:net';

/**
 * The destinations that users' flows may call from the server. By default all except the addresses of cloud
 * metadata services, which return the machine's credentials.
 */
export interface OutboundPolicy {
  /** Networks (`10.0.0.0/8`), addresses or host names (`*.internal`) that are denied. */
  readonly deny?: readonly string[];
  /** Exceptions from all denied destinations. */
  readonly allow?: readonly string[];
  /** Also deny this machine and private networks. */
  readonly denyPrivate?: boolean;
  /** Also allow the addresses that are denied by default. */
  readonly allowMetadata?: boolean;
}

const metadata = [
  '169.254.0.0/16', // link-local: AWS, Azure, Google, and most others
  'fe80::/10',
  'fd00:ec2::254', // AWS over IPv6
  'fd20:ce::254', // Google over IPv6
  '100.100.100.200', // Alibaba
  '192.0.0.192', // Oracle
  '168.63.129.16', // Azure's host agent
] as const;

const privateNetworks = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '192.0.0.0/24',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::',
  '::1',
  'fc00::/7',
  'ff00::/8',
] as const;

export interface OutboundRules {
  /** Why this host name is denied; undefined when the decision depends on its address. */
  refuseHost(host: string): string | undefined;
  refuseAddress(address: string, host: string): string | undefined;
}

export function createOutboundRules(policy: OutboundPolicy = {}): OutboundRules {
  const denied = createMatcher([
    ...(policy.allowMetadata ? [] : metadata),
    ...(policy.denyPrivate ? privateNetworks : []),
    ...(policy.deny ?? []),
  ]);
  const allowed = createMatcher(policy.allow ?? []);
  return {
    refuseHost: (host) =>
      denied.matchesHost(host) && !allowed.matchesHost(host)
        ? `The host ${host} is not allowed by the outbound policy of this server.`
        : undefined,
    refuseAddress: (address, host) => {
      const isAllowed = allowed.matchesHost(host) || allowed.matchesAddress(address);
      return denied.matchesAddress(address) && !isAllowed
        ? `The host ${host} leads to ${address}, which is not allowed by the outbound policy of this server.`
        : undefined;
    },
  };
}

interface Matcher {
  matchesHost(host: string): boolean;
  matchesAddress(address: string): boolean;
}

function createMatcher(entries: readonly string[]): Matcher {
  const addresses = new BlockList();
  const hosts: string[] = [];
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    const family = familyOf(address);
    if (family === undefined) hosts.push(entry.toLowerCase());
    else if (prefix === undefined) addresses.addAddress(address, family);
    else addresses.addSubnet(address, Number(prefix), family);
  }
  const check = (address: string) => addresses.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  return {
    matchesHost: (host) => {
      const name = host.toLowerCase().replace(/\.$/, '');
      return hosts.some((each) => (each.startsWith('*.') ? name.endsWith(each.slice(1)) : name === each));
    },
    matchesAddress: (address) => {
      const plain = address.split('%')[0] ?? address;
      const embedded = embeddedIpv4(plain);
      return check(plain) || (embedded !== undefined && check(embedded));
    },
  };
}

/** A colon means IPv6, because host names have none; the block list validates the address itself. */
function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  if (address.includes(':')) return 'ipv6';
  return isIPv4(address) ? 'ipv4' : undefined;
}

/** The IPv4 address embedded in an IPv6 address: mapped, compatible, NAT64 and 6to4 all route to it. */
export function embeddedIpv4(address: string): string | undefined {
  const groups = isIP(address) === 6 ? expand(address) : undefined;
  if (!groups) return undefined;
  const [a, b, c, d, e, f, g, h] = groups as [number, number, number, number, number, number, number, number];
  const isZero = (...parts: number[]) => parts.every((part) => part === 0);
  if (a === 0x2002) return toIpv4(b, c);
  const isMapped =
    isZero(a, b, c, d) && ((e === 0 && (f === 0xffff || f === 0)) || (e === 0xffff && f === 0));
  const isNat64 = a === 0x64 && (b === 0xff9b || b === 0xff9c) && isZero(c, d, e, f);
  return isMapped || isNat64 ? toIpv4(g, h) : undefined;
}

const toIpv4 = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join('.');

/** The eight groups of an IPv6 address. */
function expand(address: string): number[] {
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const [p, q, r, s] = (dotted?.slice(1) ?? []).map(Number) as [number, number, number, number];
  const text = dotted
    ? address.slice(0, dotted.index) + [(p << 8) | q, (r << 8) | s].map((n) => n.toString(16)).join(':')
    : address;
  const [before = '', after] = text.split('::');
  const read = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const start = read(before);
  if (after === undefined) return start;
  const end = read(after);
  return [...start, ...Array.from({ length: 8 - start.length - end.length }, () => 0), ...end];
}

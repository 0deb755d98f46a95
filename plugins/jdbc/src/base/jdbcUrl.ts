import { TaskFailed } from '@millrace/plugin-kit';

export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

export interface NetworkUrl {
  readonly hosts: readonly [HostAndPort, ...HostAndPort[]];
  /** The path after the host, without the slash. */
  readonly path: string;
  /** By lower-case name. */
  readonly options: ReadonlyMap<string, string>;
}

/** Returns the part after the scheme. Throws when the URL is blank or for another database. */
export function afterScheme(url: string, schemes: readonly string[], title: string): string {
  const trimmed = url.trim();
  const scheme = schemes.find((each) => trimmed.toLowerCase().startsWith(each));
  if (scheme !== undefined) return trimmed.slice(scheme.length);
  const shown = trimmed === '' ? 'an empty text' : `"${trimmed.replace(/[/?;@].*$/s, '…')}"`;
  throw new TaskFailed(`The URL of ${title} must start with "${schemes[0]}", got ${shown}.`, {
    retry: false,
  });
}

/** Reads `//host:port,host:port/path?name=value&…` and `//host:port;name=value;…`. */
export function parseNetworkUrl(rest: string, defaultPort: number): NetworkUrl {
  const [, authority = '', path = '', query = ''] =
    /^(?:\/\/([^/?;]*))?\/?([^?;]*)(?:[?;](.*))?$/s.exec(rest) ?? [];
  const withoutUser = authority.slice(authority.lastIndexOf('@') + 1);
  const options = new Map<string, string>();
  const [user, password] = authority.includes('@')
    ? authority.slice(0, authority.lastIndexOf('@')).split(/:(.*)/s)
    : [];
  if (user !== undefined) options.set('user', decode(user));
  if (password !== undefined) options.set('password', decode(password));
  for (const [name, value] of readOptions(query)) options.set(name, value);
  const [first = readHost('', defaultPort), ...others] = withoutUser
    .split(',')
    .map((text) => readHost(text.trim(), defaultPort));
  return { hosts: [first, ...others], path: decode(path), options };
}

/** Options after the first separator, separated by `&` or `;`. */
export function readOptions(query: string): [string, string][] {
  return query
    .split(/[&;]/)
    .filter((option) => option.trim() !== '')
    .map((option) => {
      const [name = '', value = ''] = option.split(/=(.*)/s);
      return [decode(name).trim().toLowerCase(), decode(value)];
    });
}

function readHost(text: string, defaultPort: number): HostAndPort {
  const [, bracketed, host = bracketed ?? '', port] =
    /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(text) ?? [];
  if (host === '' && text !== '' && !text.startsWith(':')) {
    throw new TaskFailed(`The URL names no host that can be read in "${text}".`, { retry: false });
  }
  return { host: host === '' ? 'localhost' : host, port: port === undefined ? defaultPort : Number(port) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

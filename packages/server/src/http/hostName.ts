/** `localhost:8080`, `[::1]`, `10.0.0.1:80`: one name and perhaps a port, nothing around or between them. */
const authorityPattern = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9])?\.?)(?::(\d{1,5}))?$/;

/**
 * The name in a Host header, in lower case and without its port; undefined when the header holds anything else, such
 * as a list (`localhost:8080, evil`) or a user (`localhost@evil`). A name that ends with a dot counts as another name.
 */
export function readHostName(authority: string): string | undefined {
  const [, name, port] = authorityPattern.exec(authority.toLowerCase()) ?? [];
  return Number(port ?? 0) > 65_535 ? undefined : name;
}

/** The absolute form of a request line, as sent to a proxy: `GET http://host/path`. */
const absoluteTarget = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;

export const authorityOfTarget = (target: string): string | undefined => absoluteTarget.exec(target)?.[1];

/** The path of a request line, so that both of its forms reach the same route and the same checks. */
export function pathOfTarget(target: string): string {
  const path = target.replace(absoluteTarget, '');
  return path === target || path.startsWith('/') ? path : `/${path}`;
}

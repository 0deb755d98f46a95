/**
 * Where to go after signing in. The address comes from a query that anybody can write into a link, so only a path of
 * this app counts: neither another host (`//evil`, `/\evil`) nor another scheme, and not the login page again.
 */
export function safeReturn(from: string | undefined): string {
  if (!from?.startsWith('/') || /^\/[/\\]/.test(from)) return '/';
  const { origin, pathname, search, hash } = new URL(from, location.origin);
  if (origin !== location.origin || /(^|\/)login$/.test(pathname)) return '/';
  return `${pathname}${search}${hash}`;
}

/** Where a link on a page leads: to another page, to a heading of this one, or out of the documentation. */
export type DocTarget =
  | { readonly kind: 'page'; readonly path: string; readonly hash: string }
  | { readonly kind: 'heading'; readonly hash: string }
  | { readonly kind: 'outside'; readonly href: string };

/**
 * Links are written between files: `../build/01.flows.md#inputs`. Numbers in front of names and the ending are for
 * the file system only. What starts with a slash or a scheme leads elsewhere.
 */
export function readDocLink(href: string, from: { path: string; isIndex: boolean }): DocTarget {
  if (href.startsWith('#')) return { kind: 'heading', hash: href.slice(1) };
  if (/^([a-z][\w+.-]*:|\/)/i.test(href)) return { kind: 'outside', href };
  const [file = '', hash = ''] = href.split('#', 2);
  const folder = from.path.split('/').filter(Boolean);
  if (!from.isIndex) folder.pop();
  return { kind: 'page', path: resolve(folder, file), hash };
}

function resolve(folder: readonly string[], file: string): string {
  const segments = [...folder];
  for (const part of file.split('/')) {
    if (part === '..') segments.pop();
    else if (part !== '' && part !== '.')
      segments.push(part.replace(/^\d+\.\s*(?=.)/, '').replace(/\.md$/, ''));
  }
  if (segments.at(-1) === 'index') segments.pop();
  return segments.join('/');
}

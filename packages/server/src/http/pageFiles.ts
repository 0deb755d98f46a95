import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Written by the build of the web app: the files and the first request of each address, and the texts of each language. */
const PageFiles = z.object({
  pages: z.array(z.object({ path: z.string(), files: z.array(z.string()) })),
  requests: z.array(z.object({ path: z.string(), request: z.string() })).default([]),
  texts: z.record(z.string(), z.string()),
  fonts: z.array(z.string()).default([]),
});

/** The requested path and the languages of a visitor's browser. */
interface Visit {
  readonly path: string;
  readonly languages: string | undefined;
}

/**
 * Adds preload links for everything the page needs, so that the browser requests it in parallel instead of
 * one after the other: the server's configuration, the page's first request, the texts, scripts and styles.
 */
export function openPageFiles(
  path: string | undefined,
  basePath: string,
): (html: string, visit: Visit) => string {
  if (path === undefined) return (html) => html;
  const { pages, requests, texts, fonts } = PageFiles.parse(JSON.parse(readFileSync(path, 'utf8')));
  const known = pages.map((page) => ({ matches: new RegExp(page.path), files: page.files }));
  const first = requests.map(({ path, request }) => ({ matches: new RegExp(path), request }));
  return (html, visit) => {
    const [match, files] = find(known, visit.path);
    const tenant = match?.groups?.tenant;
    const text = texts[chooseTexts(visit.languages, texts)];
    const asked = ['/configs', ...first.flatMap((one) => requestOf(one, visit.path))];
    const links = [
      ...asked.map((request) => fetchLinkTo(`${basePath}/api/v1${tenant ? `/${tenant}` : ''}${request}`)),
      ...[...(text ? [text] : []), ...files].map((file) => linkTo(`${basePath}/${file}`)),
    ];
    for (const font of fonts)
      links.push(`<link rel="preload" as="font" type="font/woff2" crossorigin href="${basePath}/${font}" />`);
    return html.replace('</head>', `${links.map((link) => `  ${link}\n  `).join('')}</head>`);
  };
}

interface Known {
  readonly matches: RegExp;
  readonly files: readonly string[];
}

function find(
  known: readonly Known[],
  path: string,
): [match: RegExpExecArray | undefined, files: readonly string[]] {
  for (const { matches, files } of known) {
    const match = matches.exec(path);
    if (match) return [match, files];
  }
  return [undefined, []];
}

/** The address with the values of its groups, which are words; empty for another address. */
function requestOf({ matches, request }: { matches: RegExp; request: string }, path: string): string[] {
  const { groups } = matches.exec(path) ?? {};
  return groups ? [request.replace(/\{(\w+)\}/g, (_, name: string) => groups[name] ?? '')] : [];
}

const fetchLinkTo = (url: string): string => `<link rel="preload" as="fetch" crossorigin href="${url}" />`;

const linkTo = (url: string): string =>
  url.endsWith('.css')
    ? `<link rel="stylesheet" crossorigin href="${url}" />`
    : `<link rel="modulepreload" crossorigin href="${url}" />`;

/** Picks the browser's language; the preload is wasted for users who chose another one in the UI. */
function chooseTexts(languages: string | undefined, texts: Readonly<Record<string, string>>): string {
  for (const language of languages?.split(',') ?? []) {
    const base = language.trim().toLowerCase().split(/[-;]/, 1)[0] ?? '';
    const found = Object.keys(texts).find((locale) => locale.split('_', 1)[0] === base);
    if (found !== undefined) return found;
  }
  return 'en';
}

import { z } from 'zod';
import { parseMeta } from './parseMeta.ts';
import type { TextFile } from './textFiles.ts';

const PageMeta = z.strictObject({
  title: z.string().min(1),
  description: z.string().min(1),
  icon: z.string().min(1),
  /** The screen of the web app that opens this page. */
  docId: z.string().min(1).optional(),
  isIndex: z.boolean().optional(),
  hideSidebar: z.boolean().optional(),
  /** The version that a page of the release list is about. */
  release: z.string().optional(),
  /** The position among its siblings. */
  order: z.int(),
});

export type DocMetadata = Omit<z.infer<typeof PageMeta>, 'order'>;

export interface DocPage {
  /** `build/inputs`; of an index the folder, which is empty for the home page. */
  readonly path: string;
  readonly metadata: DocMetadata;
  /** Markdown. */
  readonly content: string;
}

/** The pages in reading order: by folder, with an index before the pages below it. */
export function toDocs(files: readonly TextFile[]): DocPage[] {
  const pages = files.map((file) => {
    const { meta, body } = parseMeta(PageMeta, file);
    const { order, ...metadata } = meta;
    return { path: pathOf(file.path), order, metadata, content: body };
  });
  const orders = new Map(pages.map(({ path, order }) => [path, order]));
  return pages
    .sort((a, b) => comparePlaces(placeOf(a.path, orders), placeOf(b.path, orders)))
    .map(({ order: _, ...page }) => page);
}

/** All pages below a path, without the page of the path itself. */
export function childrenOf(pages: readonly DocPage[], path: string): Record<string, DocMetadata> {
  const prefix = path === '' ? '' : `${path}/`;
  const below = pages.filter((page) => page.path !== path && page.path.startsWith(prefix));
  return Object.fromEntries(below.map((page) => [page.path, page.metadata]));
}

export function findPage(pages: readonly DocPage[], path: string): DocPage | undefined {
  return pages.find((page) => page.path === path);
}

export function findPageOfScreen(pages: readonly DocPage[], docId: string): DocPage | undefined {
  return pages.find(({ metadata }) => metadata.docId === docId);
}

/** A path as links and addresses write it: slashes around it, numbers before names and `.md` do not matter. */
export function normalizeDocPath(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  return pathOf(segments.map((segment) => segment.replace(/^\d+\.\s*(?=.)/, '')).join('/'));
}

function pathOf(file: string): string {
  return file.replace(/\.md$/, '').replace(/(^|\/)index$/, '');
}

type Place = readonly (readonly [order: number, name: string])[];

/** The order of every folder on the way to a page, and its own. */
function placeOf(path: string, orders: ReadonlyMap<string, number>): Place {
  if (path === '') return [];
  const segments = path.split('/');
  return segments.map((name, index) => [
    orders.get(segments.slice(0, index + 1).join('/')) ?? Number.MAX_SAFE_INTEGER,
    name,
  ]);
}

function comparePlaces(a: Place, b: Place): number {
  for (const [index, [order, name]] of a.entries()) {
    const other = b[index];
    if (!other) return 1;
    if (order !== other[0]) return order - other[0];
    if (name !== other[1]) return name < other[1] ? -1 : 1;
  }
  return a.length - b.length;
}

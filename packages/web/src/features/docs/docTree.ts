import type { provider } from '@millrace/contract';
import type { DocTree } from './queries.ts';

export interface DocNode {
  readonly path: string;
  readonly metadata: provider.DocMetadata;
  readonly children: readonly DocNode[];
}

/** The pages directly below a path, each with those below it. Pages that ask for it stay out of the menu. */
export function toNodes(tree: DocTree, parent = ''): DocNode[] {
  const prefix = parent === '' ? '' : `${parent}/`;
  return Object.entries(tree)
    .filter(([path, { hideSidebar }]) => isChild(path, prefix) && !hideSidebar)
    .map(([path, metadata]) => ({ path, metadata, children: toNodes(tree, path) }));
}

const isChild = (path: string, prefix: string): boolean =>
  path.startsWith(prefix) && path !== prefix && !path.slice(prefix.length).includes('/');

/** Newest version first: 0.10.0 before 0.9.1. */
export const byRelease = (a: string, b: string): number =>
  b.localeCompare(a, 'en', { numeric: true, sensitivity: 'base' });

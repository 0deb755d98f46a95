import { createContext, type ReactNode, use } from 'react';
import type { DocPage } from './queries.ts';

/** What the parts of a page need to know: which page it is, and how another one is opened. */
export interface DocPlace {
  readonly version: string;
  readonly page: Pick<DocPage, 'path' | 'isIndex'>;
  /** A link to another page: an address in the viewer, the panel's own content beside a page. */
  readonly link: (target: {
    path: string;
    hash?: string;
    children: ReactNode;
    className?: string;
  }) => ReactNode;
}

const Context = createContext<DocPlace | undefined>(undefined);

export const DocPlaceProvider = Context;

export function useDocPlace(): DocPlace {
  const place = use(Context);
  if (!place) throw new Error('A part of a documentation page stands outside of any page.');
  return place;
}

import type { ComponentProps } from 'react';
import type { ExtraProps } from 'react-markdown';
import { textOf } from '../../../ui/textOf.ts';

/** Headings can be linked to: their id is made of their words. */
export const heading = (Element: 'h2' | 'h3' | 'h4') =>
  function Heading({ children }: ComponentProps<'h2'> & ExtraProps) {
    return <Element id={slugOf(textOf(children))}>{children}</Element>;
  };

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replace(/\s+/g, '-');

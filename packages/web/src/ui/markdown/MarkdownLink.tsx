import type { ComponentProps } from 'react';
import type { ExtraProps } from 'react-markdown';

/** A link to elsewhere opens beside the app and learns nothing about it; a link to a heading stays on the page. */
export function MarkdownLink({ node: _, href, children }: ComponentProps<'a'> & ExtraProps) {
  if (href?.startsWith('#')) return <a href={href}>{children}</a>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

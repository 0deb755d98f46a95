import type { ComponentProps } from 'react';
import type { Components, ExtraProps } from 'react-markdown';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { CodeBlock } from './CodeBlock.tsx';

export interface MarkdownViewProps {
  text: string;
  /** Small text in a small place: a toast or a tooltip. */
  compact?: boolean;
}

const plugins = [remarkGfm];
const components: Components = {
  a: MarkdownLink,
  pre: CodeBlock,
  table: ({ node: _, ...table }) => (
    <div data-table="">
      <table {...table} />
    </div>
  ),
};

export function MarkdownView({ text }: MarkdownViewProps) {
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components}>
      {text}
    </ReactMarkdown>
  );
}

/** A link to elsewhere opens beside the app and learns nothing about it; a link to a heading stays on the page. */
export function MarkdownLink({ node: _, href, children }: ComponentProps<'a'> & ExtraProps) {
  if (href?.startsWith('#')) return <a href={href}>{children}</a>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

import type { ComponentProps } from 'react';
import ReactMarkdown, { type Components, type ExtraProps } from 'react-markdown';
import remarkDirective from 'remark-directive';
import remarkGfm from 'remark-gfm';
import { CodeBlock } from '../../../ui/markdown/CodeBlock.tsx';
import markdown from '../../../ui/markdown/Markdown.module.css';
import { MarkdownLink } from '../../../ui/markdown/MarkdownLink.tsx';
import { useDocPlace } from '../DocContext.tsx';
import { readDocLink } from '../docLink.ts';
import { toWidgets } from '../toWidgets.ts';
import { DocWidget } from '../widgets/DocWidget.tsx';
import { heading } from './Heading.tsx';

const plugins = [remarkGfm, remarkDirective, toWidgets];

/** Elements of our own making are not among those that React's types know. */
const components = {
  a: DocLink,
  pre: CodeBlock,
  h1: heading('h2'),
  h2: heading('h2'),
  h3: heading('h3'),
  h4: heading('h4'),
  table: ({ node: _, ...table }: ComponentProps<'table'> & ExtraProps) => (
    <div data-table="">
      <table {...table} />
    </div>
  ),
  'doc-widget': DocWidget,
} as Components;

export function DocMarkdown({ text }: { text: string }) {
  return (
    <div className={markdown.markdown}>
      <ReactMarkdown remarkPlugins={plugins} components={components}>
        {text}
      </ReactMarkdown>
    </div>
  );
}

function DocLink(props: ComponentProps<'a'> & ExtraProps) {
  const { page, link } = useDocPlace();
  const target = readDocLink(props.href ?? '', page);
  if (target.kind === 'outside') return <MarkdownLink {...props} />;
  const path = target.kind === 'page' ? target.path : page.path;
  return link({ path, hash: target.hash, children: props.children });
}

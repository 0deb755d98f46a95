import { type ComponentProps, useEffect, useRef, useState } from 'react';
import ReactMarkdown, { type Components, type ExtraProps } from 'react-markdown';
import remarkDirective from 'remark-directive';
import remarkGfm from 'remark-gfm';
import { CodeBlock } from '../../ui/markdown/CodeBlock.tsx';
import markdown from '../../ui/markdown/Markdown.module.css';
import { MarkdownLink } from '../../ui/markdown/MarkdownView.tsx';
import { textOf } from '../../ui/page/Page.tsx';
import { useDocPlace } from './DocContext.tsx';
import { DocWidget, toWidgets } from './DocWidget.tsx';
import type { DocPage } from './queries.ts';

const firstLines = 50;
const restAfterMs = 50;

interface DocBodyProps {
  page: DocPage;
  /** The heading to begin at. */
  at?: string | undefined;
}

/** The first lines are there at once; the rest of a long page follows when they have been drawn. */
export function DocBody({ page, at }: DocBodyProps) {
  const [complete, setComplete] = useState<DocPage>();
  const isShort = page.content.split('\n').length <= firstLines;
  useEffect(() => {
    const timer = setTimeout(() => setComplete(page), restAfterMs);
    return () => clearTimeout(timer);
  }, [page]);
  const isWhole = isShort || complete === page;
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A heading far down is there only when all of the page is.
    if (isWhole && page && at) body.current?.querySelector(`[id=${JSON.stringify(at)}]`)?.scrollIntoView();
  }, [isWhole, page, at]);
  return (
    <div ref={body}>
      <DocMarkdown text={isWhole ? page.content : page.content.split('\n').slice(0, firstLines).join('\n')} />
    </div>
  );
}

/** Headings can be linked to: their id is made of their words. */
const heading = (Element: 'h2' | 'h3' | 'h4') =>
  function Heading({ children }: ComponentProps<'h2'> & ExtraProps) {
    return <Element id={slugOf(textOf(children))}>{children}</Element>;
  };

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replace(/\s+/g, '-');

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

function DocMarkdown({ text }: { text: string }) {
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

/** Where a link on a page leads: to another page, to a heading of this one, or out of the documentation. */
type DocTarget =
  | { readonly kind: 'page'; readonly path: string; readonly hash: string }
  | { readonly kind: 'heading'; readonly hash: string }
  | { readonly kind: 'outside'; readonly href: string };

/**
 * Links are written between files: `../build/01.flows.md#inputs`. Numbers in front of names and the ending are for
 * the file system only. Links that start with a slash or a scheme lead elsewhere.
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

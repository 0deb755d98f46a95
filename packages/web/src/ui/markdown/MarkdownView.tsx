import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { CodeBlock } from './CodeBlock.tsx';
import { MarkdownLink } from './MarkdownLink.tsx';

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

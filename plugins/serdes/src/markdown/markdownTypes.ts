import { defineTask, importModule, listOf, type TaskContext, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { decodeText, wholeText } from '../charset.ts';
import { charsetProperty, fromProperty, storeText } from '../converter.ts';

const maxLength = 32 * 1024 * 1024;

const output = () => z.object({ uri: z.string().describe('The URI of the converted file.') });

const metrics = [
  { name: 'bytes', type: 'counter', unit: 'bytes', description: 'Bytes of the converted file.' },
] as const;

const example = (id: string, type: string) => ({
  title: 'Convert a file.',
  runs: true,
  code: `id: ${id}
namespace: company.team

inputs:
  - id: file
    type: FILE

tasks:
  - id: convert
    type: ${type}
    from: "{{ inputs.file }}"
`,
});

const read = async (context: TaskContext, from: string, charset: string): Promise<string> =>
  wholeText(await decodeText(await context.files.read(from), charset), maxLength);

async function store(
  context: TaskContext,
  name: string,
  content: string,
  charset = 'UTF-8',
): Promise<{ uri: string }> {
  const uri = await storeText(context, name, [content], charset);
  context.metric({ name: 'bytes', type: 'counter', value: (await context.files.sizeOf(uri)) ?? 0 });
  return { uri };
}

export const markdownToHtml = defineTask({
  type: 'serdes.markdown.MarkdownToHtml',
  title: 'Write Markdown as HTML',
  description:
    'Turns a Markdown file, with tables, task lists and other additions of GitHub, into HTML. HTML inside the Markdown is written as text, so that it is safe to show.',
  input: () => z.object({ from: fromProperty(), charset: charsetProperty() }),
  output,
  metrics,
  sideEffects: true,
  examples: [example('markdown_to_html', 'serdes.markdown.MarkdownToHtml')],
  async run(context, { from, charset }) {
    const { micromark } = await importModule<typeof import('micromark')>('micromark');
    const { gfm, gfmHtml } =
      await importModule<typeof import('micromark-extension-gfm')>('micromark-extension-gfm');
    const html = micromark(await read(context, from, charset), {
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
    });
    return store(context, 'page.html', `${html}\n`, charset);
  },
});

export const markdownToText = defineTask({
  type: 'serdes.markdown.MarkdownToText',
  title: 'Write Markdown as plain text',
  description: 'Turns a Markdown file into plain text: the marks are left out, the words stay.',
  input: () => z.object({ from: fromProperty(), charset: charsetProperty() }),
  output,
  metrics,
  sideEffects: true,
  examples: [example('markdown_to_text', 'serdes.markdown.MarkdownToText')],
  async run(context, { from, charset }) {
    const { fromMarkdown } =
      await importModule<typeof import('mdast-util-from-markdown')>('mdast-util-from-markdown');
    const { gfm } = await importModule<typeof import('micromark-extension-gfm')>('micromark-extension-gfm');
    const { gfmFromMarkdown } = await importModule<typeof import('mdast-util-gfm')>('mdast-util-gfm');
    const tree = fromMarkdown(await read(context, from, charset), {
      extensions: [gfm()],
      mdastExtensions: [gfmFromMarkdown()],
    });
    return store(context, 'page.txt', `${plainText(tree).trim()}\n`, charset);
  },
});

interface TreeNode {
  readonly type: string;
  readonly value?: string;
  readonly alt?: string | null | undefined;
  readonly children?: readonly TreeNode[];
}

/** The text of a node; each block is on a separate line. */
function plainText(node: TreeNode): string {
  const children = node.children ?? [];
  switch (node.type) {
    case 'root':
    case 'blockquote':
      return children
        .map(plainText)
        .filter((part) => part !== '')
        .join('\n\n');
    case 'list':
      return children.map(plainText).join('\n');
    case 'listItem':
      return `- ${children.map(plainText).join('\n')}`;
    case 'table':
      return children.map(plainText).join('\n');
    case 'tableRow':
      return children.map(plainText).join('\t');
    case 'break':
      return '\n';
    case 'html':
    case 'thematicBreak':
    case 'definition':
      return '';
    case 'image':
      return node.alt ?? '';
    default:
      return node.value ?? children.map(plainText).join('');
  }
}

export const htmlToMarkdown = defineTask({
  type: 'serdes.markdown.HtmlToMarkdown',
  title: 'Write HTML as Markdown',
  description: 'Turns an HTML page into Markdown. Scripts and styles are left out.',
  input: () =>
    z.object({
      from: fromProperty(),
      ignoreTags: listOf(text())
        .optional()
        .describe('Elements that are left out with their content, for example `nav`.'),
      baseUri: text()
        .optional()
        .describe('The address of the page, by which relative links become complete.'),
    }),
  output,
  metrics,
  sideEffects: true,
  examples: [example('html_to_markdown', 'serdes.markdown.HtmlToMarkdown')],
  async run(context, { from, ignoreTags = [], baseUri }) {
    const { default: Turndown } = await importModule<{ default: typeof import('turndown') }>('turndown');
    const service = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });
    const ignored = new Set([
      'script',
      'style',
      'noscript',
      'head',
      'title',
      ...ignoreTags.map((tag) => tag.toLowerCase()),
    ]);
    service.remove((node) => ignored.has(node.nodeName.toLowerCase()));
    const markdown = service.turndown(await read(context, from, 'UTF-8'));
    return store(context, 'page.md', `${baseUri === undefined ? markdown : withBase(markdown, baseUri)}\n`);
  },
});

/** Relative links and images become complete. */
const withBase = (markdown: string, base: string): string =>
  markdown.replace(
    /(\]\()(<?)([^()\s<>]+)(>?)/g,
    (whole, open: string, left: string, target: string, right: string) =>
      URL.canParse(target, base) ? `${open}${left}${new URL(target, base).href}${right}` : whole,
  );

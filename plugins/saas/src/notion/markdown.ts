import { isMap, type JsonMap, mapIn, mapsIn, textOf } from '@millrace/plugin-kit';

/** The maximum length of one Notion text. */
const maxTextLength = 2000;

const heading = ['heading_1', 'heading_2', 'heading_3'] as const;

/** Markdown as blocks of Notion: headings, lists, to-dos, quotes, code, dividers and paragraphs. */
export function toBlocks(markdown: string): JsonMap[] {
  const blocks: JsonMap[] = [];
  const lines = markdown.split(/\r?\n/);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const fence = /^```\s*(\S*)/.exec(line);
    if (fence) {
      const end = lines.findIndex((one, index) => index > at && one.startsWith('```'));
      const last = end < 0 ? lines.length : end;
      const code = lines.slice(at + 1, last).join('\n');
      blocks.push({ type: 'code', code: { rich_text: plain(code), language: fence[1] || 'plain text' } });
      at = last;
    } else if (line.trim() !== '') blocks.push(toBlock(line));
  }
  return blocks;
}

function toBlock(line: string): JsonMap {
  const rules: readonly [RegExp, (match: RegExpExecArray) => JsonMap][] = [
    [
      /^(#{1,3})\s+(.*)/,
      ([, marks = '#', text = '']) => block(heading[marks.length - 1] ?? 'heading_3', text),
    ],
    [/^\s*(?:-{3,}|\*{3,})\s*$/, () => ({ type: 'divider', divider: {} })],
    [
      /^\s*[-*]\s+\[([ xX])\]\s+(.*)/,
      ([, mark, text = '']) => block('to_do', text, { checked: mark !== ' ' }),
    ],
    [/^\s*[-*+]\s+(.*)/, ([, text = '']) => block('bulleted_list_item', text)],
    [/^\s*\d+[.)]\s+(.*)/, ([, text = '']) => block('numbered_list_item', text)],
    [/^>\s?(.*)/, ([, text = '']) => block('quote', text)],
  ];
  for (const [pattern, make] of rules) {
    const match = pattern.exec(line);
    if (match) return make(match);
  }
  return block('paragraph', line.trim());
}

const block = (type: string, text: string, more: JsonMap = {}): JsonMap => ({
  type,
  [type]: { rich_text: toRichText(text), ...more },
});

const spans = /\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`|\[(.+?)\]\((.+?)\)/g;

/** Bold, italic, code and links; the rest is plain. */
function toRichText(text: string): JsonMap[] {
  const parts: JsonMap[] = [];
  let from = 0;
  for (const match of text.matchAll(spans)) {
    const [whole, bold, italic, code, label, url] = match;
    if (match.index > from) parts.push(...plain(text.slice(from, match.index)));
    const words = bold ?? italic ?? code ?? label ?? '';
    const annotations = {
      ...(bold && { bold: true }),
      ...(italic && { italic: true }),
      ...(code && { code: true }),
    };
    parts.push({
      type: 'text',
      text: { content: words, ...(url && { link: { url } }) },
      ...(!url && { annotations }),
    });
    from = match.index + whole.length;
  }
  if (from < text.length || parts.length === 0) parts.push(...plain(text.slice(from)));
  return parts;
}

function plain(text: string): JsonMap[] {
  const parts: JsonMap[] = [];
  for (let at = 0; at === 0 || at < text.length; at += maxTextLength)
    parts.push({ type: 'text', text: { content: text.slice(at, at + maxTextLength) } });
  return parts;
}

/** Converts Notion blocks to Markdown; skips kinds that Markdown does not support. */
export function toMarkdown(blocks: readonly JsonMap[]): string {
  const lines = blocks.flatMap((one) => {
    const type = textOf(one.type) ?? '';
    const { rich_text: rich, language, checked } = mapIn(one[type]);
    const text = readRichText(rich);
    if (type === 'divider') return ['---'];
    if (type === 'code') return [`\`\`\`${textOf(language) ?? ''}\n${text}\n\`\`\``];
    if (type === 'to_do') return [`- [${checked === true ? 'x' : ' '}] ${text}`];
    const prefix = prefixes[type];
    return prefix === undefined ? [] : [`${prefix}${text}`];
  });
  return lines.join('\n');
}

const prefixes: Readonly<Record<string, string>> = {
  paragraph: '',
  heading_1: '# ',
  heading_2: '## ',
  heading_3: '### ',
  bulleted_list_item: '- ',
  numbered_list_item: '1. ',
  quote: '> ',
};

export const readRichText = (rich: unknown): string =>
  mapsIn(rich)
    .map((part) => {
      const text = textOf(part.plain_text) ?? textOf(mapIn(part.text).content) ?? '';
      const { bold, italic, code } = mapIn(part.annotations);
      const link = textOf(part.href) ?? textOf(mapIn(mapIn(part.text).link).url);
      const marked =
        code === true ? `\`${text}\`` : bold === true ? `**${text}**` : italic === true ? `*${text}*` : text;
      return link === undefined ? marked : `[${marked}](${link})`;
    })
    .join('');

/** The title of a page: its only property of kind `title`. */
export function titleOf(properties: unknown): string {
  const title = Object.values(mapIn(properties)).find((one) => isMap(one) && one.type === 'title');
  return readRichText(mapIn(title).title);
}

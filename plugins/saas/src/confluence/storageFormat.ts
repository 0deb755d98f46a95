const toHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const inline = (text: string): string =>
  toHtml(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/\*([^*]+)\*/g, '<em>$1</em>')
    .replace(/\[([^\]]+)\]\(([^)\s"]+)\)/g, '<a href="$2">$1</a>');

/** Markdown in the storage format of Confluence. */
export function toStorage(markdown: string): string {
  const html: string[] = [];
  let list: 'ul' | 'ol' | undefined;
  const openList = (kind: 'ul' | 'ol' | undefined) => {
    if (kind === list) return;
    if (list) html.push(`</${list}>`);
    if (kind) html.push(`<${kind}>`);
    list = kind;
  };
  const lines = markdown.split(/\r?\n/);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const item = /^\s*(?:([-*+])|\d+[.)])\s+(.*)/.exec(line);
    if (item) {
      openList(item[1] ? 'ul' : 'ol');
      html.push(`<li>${inline(item[2] ?? '')}</li>`);
      continue;
    }
    openList(undefined);
    if (line.startsWith('```')) {
      const end = lines.findIndex((one, index) => index > at && one.startsWith('```'));
      const last = end < 0 ? lines.length : end;
      html.push(`<pre>${toHtml(lines.slice(at + 1, last).join('\n'))}</pre>`);
      at = last;
    } else if (line.trim() !== '') html.push(block(line));
  }
  openList(undefined);
  return html.join('');
}

function block(line: string): string {
  const heading = /^(#{1,6})\s+(.*)/.exec(line);
  if (heading) return `<h${heading[1]?.length}>${inline(heading[2] ?? '')}</h${heading[1]?.length}>`;
  if (/^\s*(?:-{3,}|\*{3,})\s*$/.test(line)) return '<hr/>';
  const quote = /^>\s?(.*)/.exec(line);
  return quote
    ? `<blockquote><p>${inline(quote[1] ?? '')}</p></blockquote>`
    : `<p>${inline(line.trim())}</p>`;
}

/** The storage format as Markdown; macros and tables keep only their text. */
export function toMarkdown(storage: string): string {
  return storage
    .replace(/<pre[^>]*>([\s\S]*?)<\/pre>/g, '\n```\n$1\n```\n')
    .replace(/<ol[^>]*>([\s\S]*?)<\/ol>/g, (_, items: string) => items.replace(/<li[^>]*>/g, '\n1. '))
    .replace(/<li[^>]*>/g, '\n- ')
    .replace(/<h([1-6])[^>]*>/g, (_, level: string) => `\n${'#'.repeat(Number(level))} `)
    .replace(/<blockquote[^>]*>\s*(?:<p[^>]*>)?/g, '\n> ')
    .replace(/<hr[^>]*>/g, '\n---\n')
    .replace(/<br[^>]*>/g, '\n')
    .replace(/<p[^>]*>/g, '\n')
    .replace(/<\/?(?:strong|b)>/g, '**')
    .replace(/<\/?(?:em|i)>/g, '*')
    .replace(/<\/?code>/g, '`')
    .replace(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/g, '[$2]($1)')
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')
    .replace(/\n{2,}/g, '\n')
    .trim();
}

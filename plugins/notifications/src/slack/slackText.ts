/** Escapes the three characters that Slack reads as markup. */
export const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Converts common Markdown to Slack's markup: `**bold**`, `__italic__` and `[words](address)`. */
export const markdownToSlack = (markdown: string): string =>
  markdown
    .replace(/\*\*([^*]+)\*\*/g, '*$1*')
    .replace(/__([^_]+)__/g, '_$1_')
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, '<$2|$1>');

/** Slack reads three signs as markup; everything else stays as it is. */
export const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Markdown as most people write it, in the markup of Slack: `**bold**`, `__italic__` and `[words](address)`. */
export const markdownToSlack = (markdown: string): string =>
  markdown
    .replace(/\*\*([^*]+)\*\*/g, '*$1*')
    .replace(/__([^_]+)__/g, '_$1_')
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, '<$2|$1>');

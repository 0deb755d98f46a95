/** Markdown as one line of plain words, for places too small for more: headings, marks and link targets go. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/```[\s\S]*?```/g, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s{0,3}(#{1,6}|>|[-*+]|\d+\.)\s+/gm, '')
    .replace(/`/g, '')
    .replace(/(^|\s)[*_~]+(?=\S)/g, '$1')
    .replace(/(?<=\S)[*_~]+(?=[\s.,;:!?)]|$)/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

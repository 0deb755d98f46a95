/** The lines around the first match, with matches marked; empty when the words only match together. */
export function sourceFragments(source: string, query: string): string[] {
  const wanted = query.trim();
  if (wanted === '' || wanted === '*') return [];
  const lines = source.split(/\r?\n/);
  for (const text of [wanted, ...wanted.split(/\s+/)]) {
    const at = lines.findIndex((line) => line.toLowerCase().includes(text.toLowerCase()));
    if (at < 0) continue;
    const around = lines.slice(Math.max(0, at - 1), at + 3);
    return [around.map((line) => mark(line, text)).join('\n')];
  }
  return [];
}

function mark(line: string, text: string): string {
  const [lower, wanted] = [line.toLowerCase(), text.toLowerCase()];
  // Some characters change length with their case; then offsets do not match and nothing is marked.
  if (lower.length !== line.length) return line;
  let marked = '';
  let from = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    marked += `${line.slice(from, at)}[mark]${line.slice(at, at + text.length)}[/mark]`;
    from = at + text.length;
  }
  return marked + line.slice(from);
}

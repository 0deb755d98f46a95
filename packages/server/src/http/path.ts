/** Whether a path means the API however it is spelled: encoded, doubled slashes, dots, other case, parameters. */
export function isApiPath(url: string): boolean {
  const path = normalise(url.split(/[?#]/, 1)[0] ?? '');
  return path === '/api' || path.startsWith('/api/');
}

/** The path that a lenient server might take it for. */
function normalise(path: string): string {
  const plain = decodeFully(path)
    .toLowerCase()
    .replace(/\\/g, '/')
    .replace(/;[^/]*/g, '');
  const segments: string[] = [];
  for (const segment of plain.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') segments.pop();
    else segments.push(segment.replace(/\.+$/, ''));
  }
  return `/${segments.join('/')}`;
}

/** Decoded until nothing changes; three times is more than any proxy does. */
function decodeFully(path: string): string {
  let text = path;
  for (let round = 0; round < 3; round++) {
    const decoded = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (decoded === text) break;
    text = decoded;
  }
  return text;
}

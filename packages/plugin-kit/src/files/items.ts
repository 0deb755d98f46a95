/** The parts of a file between separators; a last part without a separator counts. */
export async function* readItems(
  content: AsyncIterable<Uint8Array>,
  separator: string,
  charset = 'utf-8',
): AsyncIterable<string> {
  const decoder = new TextDecoder(charset);
  let pending: string[] = [];
  let tail = '';
  for await (const chunk of content) {
    const text = tail + decoder.decode(chunk, { stream: true });
    let from = 0;
    for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, from)) {
      pending.push(text.slice(from, at));
      yield pending.join('');
      pending = [];
      from = at + separator.length;
    }
    // A chunk may end inside a separator, so the last `length - 1` characters stay for the next round.
    const kept = Math.max(from, text.length - (separator.length - 1));
    pending.push(text.slice(from, kept));
    tail = text.slice(kept);
  }
  const last = pending.join('') + tail + decoder.decode();
  if (last !== '') yield last;
}

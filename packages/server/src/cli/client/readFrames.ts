/** One frame of an event stream; its id is its kind. */
export interface Frame {
  readonly id: string;
  readonly data: Record<string, unknown>;
}

/** Cuts an event stream into frames; comments that keep it alive are left out. */
export async function* readFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame, void, undefined> {
  let text = '';
  const decoder = new TextDecoder();
  // Node's streams are iterable, but the DOM types do not declare it.
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const match = /^id: ([\w-]+)\ndata: (.*)$/.exec(text.slice(0, end));
      text = text.slice(end + 2);
      if (match?.[1] !== undefined) yield { id: match[1], data: JSON.parse(match[2] ?? 'null') };
    }
  }
}

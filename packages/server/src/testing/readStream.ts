export interface Frame {
  readonly id: string;
  readonly data: Record<string, unknown>;
}

/** Reads an event stream over a real connection, frame by frame. */
export async function readStream(url: string) {
  const controller = new AbortController();
  const response = await fetch(url, { signal: controller.signal });
  if (!response.body) throw new Error('The answer has no body.');
  const frames = parseFrames(response.body);
  return {
    headers: response.headers,
    async take(count: number): Promise<Frame[]> {
      const taken: Frame[] = [];
      while (taken.length < count) {
        const { value, done } = await frames.next();
        if (done) throw new Error(`The stream ended after ${taken.length} of ${count} frames.`);
        taken.push(value);
      }
      return taken;
    },
    /** Everything up to the end of the stream. */
    async all(): Promise<Frame[]> {
      const rest: Frame[] = [];
      for (let next = await frames.next(); !next.done; next = await frames.next()) rest.push(next.value);
      return rest;
    },
    async close(): Promise<void> {
      controller.abort();
      await frames.return(undefined).catch(() => {});
    },
  };
}

async function* parseFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame, void, undefined> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const frame = text.slice(0, end);
      text = text.slice(end + 2);
      const match = /^id: (\w+)\ndata: (.*)$/.exec(frame);
      if (match?.[1] !== undefined) yield { id: match[1], data: JSON.parse(match[2] ?? 'null') };
    }
  }
}

import { type Frame, readFrames } from '../cli/client/readFrames.ts';

export type { Frame };

/** Reads an event stream over a real connection, frame by frame. */
export async function readStream(url: string) {
  const controller = new AbortController();
  const response = await fetch(url, { signal: controller.signal });
  if (!response.body) throw new Error('The answer has no body.');
  const frames = readFrames(response.body);
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

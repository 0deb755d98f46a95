/**
 * Bytes per request of an upload. Blob storage takes a blob in at most 50,000 blocks, Data Lake Storage up to 100 MB per
 * request.
 */
export const blockBytes = 8 * 1_048_576;

/** The content in blocks of at least `blockBytes`; the last one may be smaller. */
export async function* blocksOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  let chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    chunks.push(chunk);
    size += chunk.length;
    if (size < blockBytes) continue;
    yield Buffer.concat(chunks);
    chunks = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(chunks);
}

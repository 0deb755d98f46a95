import { importModule, TaskFailed } from '@millrace/plugin-kit';

type Iconv = typeof import('iconv-lite');

async function loadIconv(charset: string): Promise<Iconv> {
  const module = await importModule<Iconv & { default?: Iconv }>('iconv-lite');
  const iconv = module.default ?? module;
  if (!iconv.encodingExists(charset))
    throw new TaskFailed(
      `The character set "${charset}" is unknown; write for example UTF-8 or ISO-8859-1.`,
      {
        retry: false,
      },
    );
  return iconv;
}

/** The text of a file, piece by piece, without its byte order mark. */
export async function decodeText(
  content: AsyncIterable<Uint8Array>,
  charset: string,
): Promise<AsyncGenerator<string, void, undefined>> {
  if (/^utf-?8$/i.test(charset.trim())) return decodeUtf8(content);
  const decoder = (await loadIconv(charset)).getDecoder(charset);
  return (async function* () {
    for await (const chunk of content) yield decoder.write(Buffer.from(chunk));
    const rest = decoder.end();
    if (rest) yield rest;
  })();
}

async function* decodeUtf8(content: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  for await (const chunk of content) yield decoder.decode(chunk, { stream: true });
  const rest = decoder.decode();
  if (rest !== '') yield rest;
}

/** Texts as the bytes of a character set. */
export async function encodeText(
  texts: AsyncIterable<string> | Iterable<string>,
  charset: string,
  signal: AbortSignal,
): Promise<AsyncGenerator<Uint8Array>> {
  const encoder = (await loadIconv(charset)).getEncoder(charset);
  return (async function* () {
    let pending = '';
    for await (const text of texts) {
      pending += text;
      if (pending.length < 65_536) continue;
      signal.throwIfAborted();
      yield encoder.write(pending);
      pending = '';
    }
    yield encoder.write(pending);
    const rest = encoder.end();
    if (rest) yield rest;
  })();
}

/** The lines of a text, without their ends; `\r\n` and `\n` both end a line. */
export async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  const pending: string[] = [];
  for await (const text of texts) {
    let from = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
      pending.push(text.slice(from, at));
      yield pending.join('').replace(/\r$/, '');
      pending.length = 0;
      from = at + 1;
    }
    if (from < text.length) pending.push(text.slice(from));
  }
  const last = pending.join('');
  if (last !== '') yield last;
}

/** The whole text, for formats that cannot be read in pieces. */
export async function wholeText(
  texts: AsyncIterable<string>,
  maxLength = 256 * 1024 * 1024,
): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  for await (const text of texts) {
    length += text.length;
    if (length > maxLength)
      throw new TaskFailed(
        `The file has more than ${maxLength} characters, which this format cannot be read with.`,
        {
          retry: false,
        },
      );
    parts.push(text);
  }
  return parts.join('');
}

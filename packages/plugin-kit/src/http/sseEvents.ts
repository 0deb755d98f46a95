/** One event of a stream of server-sent events. */
export interface SseEvent {
  readonly id?: string;
  readonly event: string;
  readonly data: string;
  readonly retry?: number;
}

/** Reads the events of a stream as browsers do; a last event without a terminating empty line is dropped. */
export async function* readSse(
  body: AsyncIterable<Uint8Array>,
  maxEventLength: number,
): AsyncIterable<SseEvent> {
  const decoder = new TextDecoder();
  let pending = '';
  let fields: { id?: string; event?: string; data?: string[]; retry?: number } = {};
  let length = 0;
  for await (const chunk of body) {
    pending += decoder.decode(chunk, { stream: true });
    // A line may end with \r\n, and the \n of it may still be on its way.
    const lines = pending.split(/\r\n|\n|\r(?!$)/);
    pending = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (fields.data) yield toEvent(fields, fields.data);
        fields = {};
        length = 0;
        continue;
      }
      length += line.length;
      if (length > maxEventLength) throw new Error(`An event is larger than ${maxEventLength} characters.`);
      take(fields, line);
    }
    if (pending.length > maxEventLength)
      throw new Error(`An event is larger than ${maxEventLength} characters.`);
  }
}

function take(fields: { id?: string; event?: string; data?: string[]; retry?: number }, line: string): void {
  const colon = line.indexOf(':');
  const name = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
  if (name === 'data') fields.data = [...(fields.data ?? []), value];
  else if (name === 'event') fields.event = value;
  else if (name === 'id') fields.id = value;
  else if (name === 'retry' && /^\d+$/.test(value)) fields.retry = Number(value);
}

const toEvent = (
  { id, event, retry }: { id?: string; event?: string; retry?: number },
  data: readonly string[],
): SseEvent => ({
  ...(id === undefined ? {} : { id }),
  event: event ?? 'message',
  data: data.join('\n'),
  ...(retry === undefined ? {} : { retry }),
});

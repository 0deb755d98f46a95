import type { ProcessLog } from '../processLog.ts';
import type { TraceContext } from './traceParent.ts';

export interface FinishedSpan extends TraceContext {
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: 'internal' | 'server';
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Readonly<Record<string, string | number | boolean | undefined>>;
  /** The error; absent on success. */
  readonly problem?: string;
}

export interface ExporterOptions {
  /** Where spans are sent: `…/v1/traces`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly version: string;
}

const sendEveryMs = 2_000;
const maxBatch = 512;
/** The maximum number of buffered spans while the collector is down; further spans are dropped. */
const maxWaiting = 8_192;
const answersWithinMs = 10_000;

/** Sends spans to a collector as OTLP over HTTP in JSON: the one format that needs nothing but `fetch`. */
export class SpanExporter {
  readonly #options: ExporterOptions;
  readonly #log: ProcessLog;
  #waiting: FinishedSpan[] = [];
  #dropped = 0;
  #isDown = false;
  #sending: Promise<void> = Promise.resolve();
  readonly #timer: NodeJS.Timeout;

  constructor(options: ExporterOptions, log: ProcessLog) {
    this.#options = options;
    this.#log = log;
    this.#timer = setInterval(() => this.flush(), sendEveryMs);
    this.#timer.unref();
  }

  add(span: FinishedSpan): void {
    if (this.#waiting.length >= maxWaiting) this.#dropped++;
    else this.#waiting.push(span);
    if (this.#waiting.length === maxBatch) this.flush();
  }

  flush(): void {
    this.#sending = this.#sending.then(() => this.#send());
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.flush();
    await this.#sending;
  }

  async #send(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, maxBatch);
      try {
        const { url, headers } = this.#options;
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(toOtlp(batch, this.#options)),
          signal: AbortSignal.timeout(answersWithinMs),
        });
        await response.arrayBuffer();
        if (!response.ok) throw new Error(`the collector answered ${response.status}`);
        this.#waiting = this.#waiting.slice(batch.length);
        this.#isDown = false;
      } catch (error) {
        // Logged once, not every two seconds; the spans wait for the next try.
        if (!this.#isDown) this.#log.warn('Traces cannot be sent.', { error, dropped: this.#dropped });
        this.#isDown = true;
        return;
      }
    }
  }
}

const kinds = { internal: 1, server: 2 } as const;

/** The shape that OTLP gives to spans in JSON; times are nanoseconds as text. */
function toOtlp(spans: readonly FinishedSpan[], { serviceName, version }: ExporterOptions) {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf({ 'service.name': serviceName, 'service.version': version }) },
        scopeSpans: [
          {
            scope: { name: 'millrace', version },
            spans: spans.map((span) => ({
              traceId: span.traceId,
              spanId: span.spanId,
              ...(span.parentSpanId === undefined ? {} : { parentSpanId: span.parentSpanId }),
              name: span.name,
              kind: kinds[span.kind],
              startTimeUnixNano: `${Math.round(span.startedAt * 1_000)}000`,
              endTimeUnixNano: `${Math.round(span.endedAt * 1_000)}000`,
              attributes: attributesOf(span.attributes),
              status: span.problem === undefined ? { code: 1 } : { code: 2, message: span.problem },
            })),
          },
        ],
      },
    ],
  };
}

function attributesOf(values: FinishedSpan['attributes']) {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: attributeOf(value) }],
  );
}

function attributeOf(value: string | number | boolean): Record<string, unknown> {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

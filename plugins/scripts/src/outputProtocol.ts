import { logLevels } from '@millrace/contract';
import { parseDuration } from '@millrace/engine';
import type { TaskContext } from '@millrace/plugin-kit';
import { z } from 'zod';

const Message = z.object({
  outputs: z.record(z.string(), z.unknown()).optional(),
  encryptedOutputs: z.record(z.string(), z.unknown()).optional(),
  metrics: z
    .array(
      z.object({
        name: z.string(),
        type: z.enum(['counter', 'timer']),
        value: z.union([z.number(), z.string()]),
        tags: z.record(z.string(), z.coerce.string()).optional(),
      }),
    )
    .optional(),
  logs: z.array(z.object({ level: z.enum(logLevels).default('INFO'), message: z.string() })).optional(),
});

const maxOutputsLength = 64 * 1024 * 1024;

/**
 * Parses the protocol lines of a script: a line `::{"outputs": …}::` in its output sets outputs, metrics and
 * log lines instead of being logged.
 */
export class OutputProtocol {
  readonly #context: Pick<TaskContext, 'log' | 'metric' | 'seal'>;
  readonly vars: Record<string, unknown> = {};
  #length = 0;

  constructor(context: Pick<TaskContext, 'log' | 'metric' | 'seal'>) {
    this.#context = context;
  }

  /** False when the line is an ordinary one. */
  async take(line: string): Promise<boolean> {
    const text = line.trim();
    if (!text.startsWith('::{') || !text.endsWith('}::')) return false;
    const message = this.#read(text.slice(2, -2));
    if (typeof message === 'string') {
      await this.#context.log('WARN', `Invalid output "${text.slice(0, 200)}": ${message}`);
      return true;
    }
    this.#length += text.length;
    if (message.outputs) Object.assign(this.vars, message.outputs);
    for (const [name, value] of Object.entries(message.encryptedOutputs ?? {})) {
      this.vars[name] = this.#context.seal(typeof value === 'string' ? value : JSON.stringify(value));
    }
    for (const metric of message.metrics ?? []) {
      const { tags, ...rest } = metric;
      this.#context.metric({ ...rest, value: toValue(metric), ...(tags && { tags }) });
    }
    for (const { level, message: said } of message.logs ?? []) await this.#context.log(level, said);
    return true;
  }

  #read(json: string): z.infer<typeof Message> | string {
    if (this.#length + json.length > maxOutputsLength) return 'the script has returned too much already';
    try {
      const result = Message.safeParse(JSON.parse(json));
      return result.success ? result.data : z.prettifyError(result.error);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}

/** A timer is written in seconds or as an ISO duration and stored in milliseconds. */
function toValue({ type, value }: { type: string; value: number | string }): number {
  const number = typeof value === 'number' ? value : Number(value);
  if (type === 'counter') return number;
  return typeof value === 'string' && Number.isNaN(number) ? (parseDuration(value) ?? 0) : number * 1000;
}

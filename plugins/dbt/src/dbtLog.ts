import type { LogLevel } from '@millrace/contract';
import type { TaskContext } from '@millrace/plugin-kit';
import type { ReadLine } from '@millrace/plugin-scripts';
import { z } from 'zod';

const Line = z.object({
  info: z.object({ level: z.string(), msg: z.string().default(''), name: z.string().optional() }),
  data: z
    .looseObject({
      stats: z.record(z.string(), z.coerce.number()).optional().catch(undefined),
    })
    .optional(),
});

const levels: Readonly<Record<string, LogLevel>> = {
  debug: 'DEBUG',
  info: 'INFO',
  warn: 'WARN',
  warning: 'WARN',
  error: 'ERROR',
};

export interface DbtLog {
  readonly readLine: ReadLine;
  /** Whether dbt has warned of something. */
  hasWarnings(): boolean;
}

/** Reads the JSON log of dbt: each line has its level, and the last one the counts of the run. */
export function createDbtLog(context: Pick<TaskContext, 'metric'>): DbtLog {
  let warnings = 0;
  return {
    hasWarnings: () => warnings > 0,
    readLine: (text) => {
      if (!text.startsWith('{')) return undefined;
      const line = parse(text);
      if (!line) return undefined;
      const level = levels[line.info.level.toLowerCase()] ?? 'INFO';
      if (level === 'WARN') warnings++;
      const { stats } = line.data ?? {};
      if (stats) {
        const counts = [
          ['log.stats.success', stats.pass ?? stats.success],
          ['log.stats.warn', stats.warn],
          ['log.stats.error', stats.error],
        ] as const;
        for (const [name, value] of counts) context.metric({ name, type: 'counter', value: value ?? 0 });
      }
      return { level, message: line.info.msg };
    },
  };
}

function parse(text: string): z.infer<typeof Line> | undefined {
  try {
    return Line.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Definition, defineTask } from '@millrace/plugin-kit';
import { z } from 'zod';

const words = { title: 'For the sweep', description: 'For the sweep', examples: [] };

/**
 * Tasks that do the same as the scripts of a chaos run without a process for each: they write their task run
 * and attempt into the ledger, so that duplicate runs are found, and log three lines.
 */
export const sweepTasks = (ledger: Pick<string[], 'push'>): Definition[] => [
  defineTask({
    ...words,
    type: 'sweep.Work',
    input: z.object({ does: z.enum(['nothing', 'fail once', 'write', 'read', 'store']).default('nothing') }),
    output: z.object({ vars: z.object({ attempt: z.number() }), uri: z.string().optional() }),
    sideEffects: true,
    run: async (context, { does }) => {
      const { taskRunId, attempt } = context.run;
      ledger.push(`${taskRunId} ${attempt}`);
      for (const line of ['one', 'two', 'three']) await context.log('INFO', line);
      const file = join(await context.workingDirectory(), 'file.txt');
      if (does === 'fail once' && attempt === 0) throw new Error('The first attempt fails.');
      if (does === 'write') await writeFile(file, 'content');
      if (does === 'read' && (await readFile(file, 'utf8')) !== 'content')
        throw new Error('The file is gone.');
      const uri = does === 'store' ? await context.files.put('kept.txt', 'content') : undefined;
      return { vars: { attempt }, ...(uri === undefined ? {} : { uri }) };
    },
  }),
  defineTask({
    ...words,
    type: 'sweep.Endless',
    input: z.object({}),
    output: z.object({}),
    sideEffects: true,
    run: (context) =>
      new Promise<never>((_, reject) => {
        context.signal.addEventListener('abort', () => reject(new Error('interrupted')), { once: true });
      }),
  }),
];

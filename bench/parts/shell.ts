import { availableParallelism } from 'node:os';
import { shellFlow } from '../flows.ts';
import { timeExecution } from '../measures/execution.ts';
import { measureSpawnRate } from '../measures/spawnRate.ts';
import type { Figures } from '../report/figures.ts';
import { onFreshProduct, type Stage } from './stage.ts';

/** Shell commands per second, compared with bare processes on the same machine at the same time. */
export function measureShell(stage: Stage): Promise<Figures> {
  const commands = stage.options.quick ? 100 : 1000;
  return onFreshProduct(stage, async (_, api) => {
    stage.say(`${commands} shell commands`);
    await api.saveFlow(shellFlow('warm-up', 20));
    await timeExecution(api, 'warm-up');
    const bare = await measureSpawnRate(commands, availableParallelism() * 2);
    await api.saveFlow(shellFlow('shell', commands));
    const shellPerSecond = commands / ((await timeExecution(api, 'shell')) / 1000);
    return { shellPerSecond, shellShare: (shellPerSecond / bare) * 100 };
  });
}

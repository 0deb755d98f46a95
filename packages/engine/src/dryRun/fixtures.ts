import type { TaskRunRecord } from '@millrace/contract';
import type { TaskFixture } from './types.ts';

/**
 * Chooses the fixture of each task run. Fixtures of one task apply to its runs in the order in which they started; the
 * last one applies to all further runs. A run keeps its fixture when it is retried.
 */
export class Fixtures {
  readonly #byTask = new Map<string, TaskFixture[]>();
  readonly #given = new Map<string, TaskFixture | undefined>();
  readonly #used = new Map<string, number>();

  constructor(fixtures: readonly TaskFixture[] = []) {
    for (const fixture of fixtures) {
      const known = this.#byTask.get(fixture.id);
      if (known) known.push(fixture);
      else this.#byTask.set(fixture.id, [fixture]);
    }
  }

  of(run: Pick<TaskRunRecord, 'id' | 'taskId' | 'value'>): TaskFixture | undefined {
    if (this.#given.has(run.id)) return this.#given.get(run.id);
    const found = this.#choose(run.taskId, run.value);
    this.#given.set(run.id, found);
    return found;
  }

  /** Any fixture of a task that is not tied to one loop value. */
  ofTask(taskId: string): TaskFixture | undefined {
    const all = this.#byTask.get(taskId);
    return all?.find((fixture) => fixture.value === undefined) ?? all?.[0];
  }

  #choose(taskId: string, value: string | undefined): TaskFixture | undefined {
    const all = this.#byTask.get(taskId);
    if (!all) return undefined;
    const exact = value === undefined ? [] : all.filter((fixture) => fixture.value === value);
    const matching = exact.length > 0 ? exact : all.filter((fixture) => fixture.value === undefined);
    const key = `${taskId} ${exact.length > 0 ? value : ''}`;
    const index = this.#used.get(key) ?? 0;
    this.#used.set(key, index + 1);
    return matching[Math.min(index, matching.length - 1)];
  }
}

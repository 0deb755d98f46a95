import type { Flow, Sla, Task } from '@millrace/contract';
import type { Random } from './random.ts';

/** A random flow of moderate size that uses every control task, branch and tolerance the engine knows. */
export function randomFlow(random: Random): Flow {
  const maker = new Maker(random);
  const tasks = maker.list(3, 0);
  return {
    id: 'random',
    namespace: 'company.team',
    revision: 1,
    disabled: false,
    deleted: false,
    tasks,
    ...(random.chance(0.3) ? { errors: maker.list(2, 2) } : {}),
    ...(random.chance(0.3) ? { finally: maker.list(2, 2) } : {}),
    ...(random.chance(0.2) ? { afterExecution: maker.list(2, 2) } : {}),
    ...(random.chance(0.15) ? { listeners: [{ tasks: maker.list(2, 2) }] } : {}),
    ...(random.chance(0.1) ? { retry: maker.retry() } : {}),
    ...(random.chance(0.1) ? { outputs: [maker.output()] } : {}),
    ...(random.chance(0.15) ? { sla: [maker.sla()] } : {}),
  };
}

type Properties = Record<string, unknown>;

/** Among them: a condition that cannot be rendered, one for the host, and one that changes between runs. */
const conditions = [
  '{{ false }}',
  '{{ true }}',
  '{{ outputs.t0 is defined }}',
  '{{ nope }}',
  "{{ kv('stored') }}",
  '{{ taskrun.attemptsCount == 0 }}',
];

class Maker {
  private readonly random: Random;
  private count = 0;

  constructor(random: Random) {
    this.random = random;
  }

  list(most: number, depth: number): Task[] {
    return Array.from({ length: 1 + this.random.below(most) }, () => this.task(depth));
  }

  task(depth: number): Task {
    const id = `t${this.count++}`;
    const isLeaf = depth >= 3 || this.random.chance(0.45);
    const task: Task = { id, ...(isLeaf ? this.leaf() : this.container(depth)), ...this.tolerance(isLeaf) };
    return task;
  }

  output(): NonNullable<Flow['outputs']>[number] {
    const value = this.random.pick(['plain', "{{ kv('stored') }}", '{{ nope }}']);
    return { id: 'result', type: 'STRING', value };
  }

  sla(): Sla {
    const { random } = this;
    const behavior = random.pick(['FAIL', 'CANCEL', 'NONE'] as const);
    return random.chance(0.8)
      ? { id: 'sla', type: 'MAX_DURATION', duration: random.pick(['PT3S', 'PT20S']), behavior }
      : { id: 'sla', type: 'EXECUTION_ASSERTION', assert: "{{ tasks.t1.state != 'FAILED' }}", behavior };
  }

  retry(): { type: string } & Properties {
    const bounds = { maxAttempt: 2 + this.random.below(2), warningOnRetry: this.random.chance(0.2) };
    return this.random.pick([
      { type: 'constant', interval: 'PT1S', ...bounds },
      { type: 'exponential', interval: 'PT1S', maxInterval: 'PT4S', ...bounds },
      { type: 'random', minInterval: 'PT1S', maxInterval: 'PT3S', ...bounds },
    ]);
  }

  private tolerance(isLeaf: boolean): Properties {
    const { random } = this;
    return {
      ...(random.chance(isLeaf ? 0.25 : 0.1) ? { allowFailure: true } : {}),
      ...(random.chance(0.05) ? { allowWarning: true } : {}),
      ...(random.chance(0.05) ? { disabled: true } : {}),
      ...(random.chance(0.1) ? { runIf: random.pick(conditions) } : {}),
      ...(random.chance(0.12) ? { retry: this.retry() } : {}),
    };
  }

  private leaf(): { type: string } & Properties {
    const { random } = this;
    if (random.chance(0.04))
      return {
        type: 'core.execution.Exit',
        state: random.pick(['SUCCESS', 'WARNING', 'FAILED', 'KILLED', 'CANCELED']),
      };
    if (random.chance(0.04)) return { type: 'core.execution.Labels', labels: { seen: 'yes' } };
    if (random.chance(0.08))
      return {
        type: 'core.flow.Subflow',
        namespace: 'company',
        flowId: 'child',
        wait: random.chance(0.8),
        transmitFailed: random.chance(0.8),
        ...(random.chance(0.3) ? { restartBehavior: 'NEW_EXECUTION' } : {}),
      };
    if (random.chance(0.08))
      return {
        type: 'core.flow.Pause',
        ...random.pick([
          {},
          { delay: 'PT2S' },
          { delay: "{{ kv('stored') }}" },
          { timeout: 'PT2S' },
          { pauseDuration: 'PT1S', behavior: random.pick(['RESUME', 'WARN', 'FAIL', 'CANCEL']) },
        ]),
      };
    return {
      type: 'core.debug.Return',
      format: random.pick(['plain', '{{ execution.id }}', '{{ taskrun.value ?? "none" }}']),
    };
  }

  private container(depth: number): { type: string } & Properties {
    const { random } = this;
    const tasks = () => this.list(3, depth + 1);
    const accompanying = {
      ...(random.chance(0.15) ? { errors: this.list(2, depth + 2) } : {}),
      ...(random.chance(0.15) ? { finally: this.list(2, depth + 2) } : {}),
    };
    const values = JSON.stringify(Array.from({ length: random.below(4) }, (_, index) => `v${index}`));
    const kinds: (() => { type: string } & Properties)[] = [
      () => ({ type: 'core.flow.Sequential', tasks: tasks() }),
      () => ({ type: 'core.flow.Parallel', tasks: tasks(), concurrent: random.below(3) }),
      () => ({ type: 'core.flow.AllowFailure', tasks: tasks() }),
      () => ({
        type: 'core.flow.If',
        condition: random.pick(conditions),
        then: tasks(),
        else: tasks(),
      }),
      () => ({
        type: 'core.flow.Switch',
        value: random.pick(['a', 'b', 'z']),
        cases: { a: tasks(), b: tasks() },
        ...(random.chance(0.5) ? { defaults: tasks() } : {}),
      }),
      () => ({
        type: 'core.flow.ForEach',
        values: random.chance(0.2) ? "{{ kv('list') }}" : values,
        concurrencyLimit: random.below(3),
        tasks: tasks(),
      }),
      () => ({ type: 'core.flow.EachParallel', value: values, concurrent: random.below(3), tasks: tasks() }),
      () => ({
        type: 'core.flow.LoopUntil',
        condition: random.pick(['false', '{{ true }}']),
        failOnMaxReached: random.chance(0.5),
        checkFrequency: { maxIterations: 3 },
        tasks: tasks(),
      }),
      () => ({
        type: 'core.flow.WorkingDirectory',
        tasks: Array.from({ length: 2 }, () => ({ id: `t${this.count++}`, ...this.plainLeaf() })),
      }),
      () => ({
        type: 'core.flow.Pause',
        ...random.pick([{}, { delay: 'PT1S' }, { timeout: 'PT2S' }]),
        tasks: tasks(),
      }),
      () => ({
        type: 'core.flow.ForEachItem',
        items: 'file',
        namespace: 'company',
        flowId: 'child',
        wait: random.chance(0.8),
        transmitFailed: random.chance(0.8),
        ...(random.chance(0.3) ? { restartBehavior: 'NEW_EXECUTION' } : {}),
      }),
      () => ({ type: 'core.flow.Dag', concurrent: random.below(3), tasks: this.dag(depth) }),
    ];
    return { ...random.pick(kinds)(), ...accompanying };
  }

  private plainLeaf(): { type: string } & Properties {
    return { type: 'core.debug.Return', ...(this.random.chance(0.2) ? { retry: this.retry() } : {}) };
  }

  private dag(depth: number): { task: Task; dependsOn: string[] }[] {
    const entries: { task: Task; dependsOn: string[] }[] = [];
    for (const task of this.list(4, depth + 1)) {
      const dependsOn = entries.filter(() => this.random.chance(0.4)).map((entry) => entry.task.id);
      entries.push({ task, dependsOn });
    }
    return entries;
  }
}

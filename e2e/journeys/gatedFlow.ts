import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** A flow whose shell tasks write down that they ran, and whose second one waits at a gate. */
export class GatedFlow {
  readonly #folder = mkdtempSync(join(tmpdir(), 'gate-'));
  readonly #runs = join(this.#folder, 'runs');
  readonly #gate = join(this.#folder, 'gate');

  readonly id = 'gated';
  readonly namespace = 'journey';

  get source(): string {
    const task = (id: string, command: string) => `  - id: ${id}
    type: scripts.shell.Commands
    taskRunner:
      type: core.runner.Process
    commands:
      - ${JSON.stringify(`echo ${id} >> ${this.#runs}; ${command}`)}
`;
    return `id: ${this.id}
namespace: ${this.namespace}
inputs:
  - id: name
    type: STRING
    defaults: World
tasks:
${task('before', 'echo Hello {{ inputs.name }}')}${task('gate', `while [ -d ${this.#folder} ] && [ ! -e ${this.#gate} ]; do sleep 0.05; done`)}${task('after', 'echo Goodbye {{ inputs.name }}')}`;
  }

  /** The ids of the tasks in the order in which they were started, again and again. */
  get runs(): string[] {
    return existsSync(this.#runs) ? readFileSync(this.#runs, 'utf8').trim().split('\n') : [];
  }

  async waitForRuns(expected: readonly string[]): Promise<void> {
    while (this.runs.length < expected.length) await wait(20);
  }

  openGate(): void {
    writeFileSync(this.#gate, '');
  }

  /** A shell that still waits sees the folder go and ends. */
  clean(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

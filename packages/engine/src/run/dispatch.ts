import { isCreated, isTerminal, type Task, type TaskRunRecord } from '@millrace/contract';
import { isTruthy, type Variables } from '@millrace/expression';
import type { Container, Control, ControlContext } from '../control/control.ts';
import { act } from './acting.ts';
import { stopsAt } from './breakpoint.ts';
import { startCall } from './calling.ts';
import { noteDecision } from './decision.ts';
import { directoryName, emitDirectory, holderOf } from './directory.ts';
import { endNode } from './end.ts';
import { evaluate, Pending } from './evaluate.ts';
import { runsAfterwards } from './interrupt.ts';
import { Group, type Node } from './node.ts';
import { reuseResult } from './reuseResult.ts';
import type { Run } from './run.ts';
import { IllegalMove } from './state.ts';
import { taskRunVariable } from './variables.ts';
import { startWaiting } from './waiting.ts';

/** Starts a created task run, or cancels it when its execution has ended meanwhile. */
export function dispatch(run: Run, node: Node): void {
  const isTooLate = isTerminal(run.state) && !runsAfterwards(node);
  if (isTooLate && isCreated(node.record.state.current)) run.move(node, 'CANCELLED');
  else dispatchAgain(run, node);
}

/** Skips the run, sends it to a worker, or starts it here when it is a control task. Idempotent. */
export function dispatchAgain(run: Run, node: Node): void {
  if (!isCreated(node.record.state.current) || stopsAt(run, node)) return;
  guarded(run, node, () => {
    if (!isWanted(run, node)) {
      run.move(node, 'SKIPPED');
      return;
    }
    if (reuseResult(run, node)) return;
    const control = run.index.controlOf(node.task);
    if (control) startControl(run, node, control);
    else submit(run, node);
  });
}

/** Sends the next attempt to a worker. Emitting it twice is harmless: workers report per attempt. */
export function submit(run: Run, node: Node): void {
  run.emit({
    effect: 'run',
    taskRunId: node.record.id,
    attempt: node.record.attempts.length,
    task: node.task,
    sideEffects: run.environment.catalogue.find(node.task.type)?.sideEffects ?? true,
    ...directoryOf(run, node),
  });
}

function directoryOf(run: Run, node: Node): { directoryOf?: string; holder?: string } {
  const owner = run.index.folderOwner(node.lane);
  return owner ? { directoryOf: directoryName(owner), ...holderOf(owner) } : {};
}

/** Continues a control task after the host resolved one of its values. */
export function continueControl(run: Run, node: Node): void {
  if (isCreated(node.record.state.current)) dispatch(run, node);
  else if (node.record.state.current === 'RUNNING') {
    const control = run.index.controlOf(node.task);
    if (control) guarded(run, node, () => startControl(run, node, control));
  }
}

function isWanted(run: Run, node: Node): boolean {
  const { runIf } = node.task;
  if (runIf === undefined || runIf === true || runIf === 'true') return true;
  // `runIf` is not evaluated again for a retry, but is for a restart.
  if (node.record.attempts.length > 0 && node.record.state.current !== 'RESTARTED') return true;
  return isTruthy(decideBy(run, node, 'runIf', runIf));
}

/** A value that was resolved before is recorded already. */
function decideBy(run: Run, node: Node, key: string, template: unknown): unknown {
  const isKnown = node.record.memo?.[key] !== undefined;
  const value = evaluate(run, node, key, template, 'text');
  if (!isKnown) noteDecision(run, node, key, template, value);
  return value;
}

function startControl(run: Run, node: Node, control: Control): void {
  const context = contextOf(run, node);
  if (control.kind === 'acting') return act(run, node, control, context);
  run.move(node, 'RUNNING');
  if (control.kind === 'calling') return startCall(run, node, control, context);
  if (control.kind === 'waiting') return startWaiting(run, node, control, context);
  run.startPlan(openGroup(run, node), control.plan(context));
  const reason = control.dead?.(context);
  const outputs = control.outputs?.(context);
  if (outputs) run.update(node, { outputs });
  if (reason !== undefined) {
    run.log('WARN', reason, node);
    endNode(run, node, 'FAILED');
  } else if (control.sharesDirectory && node.record.memo?.directory === undefined) {
    run.remember(node, { directory: 'opening' });
    emitDirectory(run, node, 'openDirectory');
  } else run.dirty.add(node.group!);
}

/** The children of a control task's run; made when it starts or is loaded. */
export function openGroup(run: Run, node: Node): Group {
  node.group ??= new Group(node, run.index.accompanying(node.task));
  return node.group;
}

/** The plan of a loaded control task, from its stored memo; undefined while it is not known yet. */
export function loadPlan(run: Run, node: Node, control: Container): void {
  const group = openGroup(run, node);
  try {
    run.setPlan(group, control.plan(contextOf(run, node, { isReading: true })));
  } catch {
    // Not resolved before the restart: `recover` requests the value again.
  }
}

interface ContextOptions {
  readonly item?: { readonly iteration: number; readonly uri: string };
  /** Uses stored values only; evaluates nothing. */
  readonly isReading?: boolean;
}

export function contextOf(run: Run, node: Node, options: ContextOptions = {}): ControlContext {
  return new NodeContext(run, node, options);
}

/** A class because of `taskRun`: a getter in a literal gives every object its own shape; reads get slower. */
class NodeContext implements ControlContext {
  readonly task: Task;
  readonly now: number;
  readonly maxIterations: number;
  readonly #run: Run;
  readonly #node: Node;
  readonly #options: ContextOptions;

  constructor(run: Run, node: Node, options: ContextOptions) {
    this.task = node.task;
    this.now = run.now;
    this.maxIterations = run.maxIterations;
    this.#run = run;
    this.#node = node;
    this.#options = options;
  }

  get taskRun(): TaskRunRecord {
    return this.#node.record;
  }

  text(key: string, template: string): string {
    return String(this.#remembered(key, template, 'text') ?? '');
  }

  value(key: string, template: unknown): unknown {
    return this.#remembered(key, template, 'deep');
  }

  isTrue(key: string, template: string): boolean {
    return isTruthy(decideBy(this.#run, this.#node, key, template));
  }

  forItem(iteration: number, uri: string): ControlContext {
    return contextOf(this.#run, this.#node, { item: { iteration, uri } });
  }

  template(): { readonly tasks: readonly Task[] } {
    return templateOf(this.#run, this.#node);
  }

  #remembered(key: string, template: unknown, mode: 'text' | 'deep'): unknown {
    if (template === undefined || template === null) return template;
    const isLiteral =
      typeof template !== 'object' && !(typeof template === 'string' && template.includes('{'));
    if (isLiteral) return template;
    const { item, isReading } = this.#options;
    const run = this.#run;
    const node = this.#node;
    if (isReading && node.record.memo?.[key] === undefined) throw new Pending();
    const name = item ? `item${item.iteration}.${key}` : key;
    const value = evaluate(run, node, name, template, mode, item && itemVariables(node, item));
    // A batch is evaluated only once, at its start, so its values are not stored.
    if (!item && node.record.memo?.[key] === undefined) {
      run.remember(node, { [key]: { value } });
      noteDecision(run, node, key, template, value);
    }
    return value;
  }
}

const itemVariables = (node: Node, { iteration, uri }: { iteration: number; uri: string }): Variables => ({
  taskrun: { ...taskRunVariable(node), iteration, items: uri },
});

function templateOf(run: Run, node: Node): { readonly tasks: readonly Task[] } {
  const { namespace, templateId } = node.task;
  const found = run.environment.template?.(String(namespace), String(templateId));
  if (!found) throw new Error(`There is no template "${templateId}" in the namespace "${namespace}".`);
  return found;
}

/** A value that cannot be resolved fails its task run; the reason is in the log. */
export function guarded(run: Run, node: Node, decide: () => void): void {
  try {
    decide();
  } catch (error) {
    if (error instanceof Pending) return;
    if (error instanceof IllegalMove) throw error;
    run.log('ERROR', error instanceof Error ? error.message : String(error), node);
    endNode(run, node, 'FAILED');
  }
}

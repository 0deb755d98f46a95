import {
  type Definition,
  messageOf,
  ownProperties,
  readInput,
  type TaskContext,
  type TriggerContext,
} from '@millrace/plugin-kit';
import { exampleProperties } from '@millrace/plugins/testing';

/** A mistake in code, in contrast to a service that cannot be reached. */
const mistake =
  /is not a function|is not iterable|is not a constructor|is not defined|Cannot (read|set|destructure)/;
/** Texts of values that have none. */
const nonsense = /undefined|\[object/;

export interface Reached {
  readonly type: string;
  /** It used a way out of the process that the context offers. */
  readonly isOut: boolean;
  /** How it ended by itself, and mistakes that it logged; a run that was stopped may end with anything. */
  readonly end: string | undefined;
  readonly isMistake: boolean;
}

/**
 * Runs examples of each type with a context of the server. Every address is a port where nothing listens, so that a
 * type ends as soon as it has used everything it needs to connect.
 */
export async function reachOut(
  definitions: readonly Definition[],
  context: TaskContext & Partial<TriggerContext>,
  port: number,
): Promise<readonly Reached[]> {
  const fileUri = await context.files.put('rows.ion', '{"id":1,"name":"a"}\n');
  const results: Reached[] = [];
  const waiting = [...definitions];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      results.push(await reachOne(next, context, { fileUri, port }));
  };
  await Promise.all(Array.from({ length: 32 }, work));
  return results;
}

async function reachOne(
  definition: Definition,
  context: TaskContext & Partial<TriggerContext>,
  filling: { readonly fileUri: string; readonly port: number },
): Promise<Reached> {
  let last: Reached = { type: definition.type, isOut: false, end: 'it has no example', isMistake: false };
  for (const properties of exampleProperties(definition, filling)) {
    const stop = new AbortController();
    const own = aContextTo(filling.port, context, AbortSignal.any([context.signal, stop.signal]));
    let end: string | undefined;
    const running = run(definition, properties, own.context).then(
      () => 'it ended',
      (error: unknown) => messageOf(error),
    );
    void running.then((text) => {
      end = text;
    });
    const isListening = definition.kind === 'trigger' && definition.listen !== undefined;
    // A realtime trigger connects again until it is stopped.
    const isDone = () => end !== undefined || (isListening && own.isOut());
    for (let tick = 0; tick < (isListening ? 10 : 50) && !isDone(); tick++) await tenth();
    const wrong = own.lines.filter((line) => mistake.test(line));
    const text = end === undefined && wrong.length === 0 ? undefined : [end ?? 'it ran', ...wrong].join('\n');
    const isMistake = text !== undefined && (mistake.test(text) || nonsense.test(text));
    last = { type: definition.type, isOut: own.isOut(), end: text, isMistake };
    stop.abort();
    for (let tick = 0; tick < 50 && end === undefined; tick++) await tenth();
    if (last.isOut || last.isMistake) break;
  }
  return last;
}

const tenth = () => new Promise((resolve) => setTimeout(resolve, 100));

/** A copy of the context that goes to one port, through the functions of the server. */
function aContextTo(port: number, context: TaskContext & Partial<TriggerContext>, signal: AbortSignal) {
  let isOut = false;
  const lines: string[] = [];
  const out = <A extends unknown[], R>(call: (...args: A) => R) => {
    return (...args: A): R => {
      isOut = true;
      return call(...args);
    };
  };
  const own: TriggerContext = {
    memory: undefined,
    remember: () => {},
    emit: async () => {},
    ...context,
    signal,
    log: (_, message) => void lines.push(message),
    connect: out((request) => context.connect({ ...request, host: '127.0.0.1', port, signal })),
    fetch: out(({ proxy: _, certificates: __, ...request }) => {
      const { pathname, search } = new URL(request.url);
      return context.fetch({ ...request, url: `http://127.0.0.1:${port}${pathname}${search}`, signal });
    }),
    lookup: out((_, options, callback) => context.lookup('127.0.0.1', options, callback)),
    mayReach: out(() => context.mayReach(`http://127.0.0.1:${port}`)),
    spawn: out(() => Promise.reject(new Error('No process is started in this test.'))),
    runNested: out(() => Promise.reject(new Error('No task is run in this test.'))),
  };
  return { context: own, lines, isOut: () => isOut };
}

async function run(
  definition: Definition,
  properties: Readonly<Record<string, unknown>>,
  context: TriggerContext,
): Promise<unknown> {
  if (definition.kind === 'task' && definition.role === 'task') {
    const own = ownProperties('task', properties, definition.input.shape);
    return definition.run(context, readInput(definition.type, definition.input, own));
  }
  if (definition.kind !== 'trigger') throw new Error(`${definition.type} does not run.`);
  const own = ownProperties('trigger', properties, definition.input.shape);
  const input = readInput(definition.type, definition.input, own);
  return definition.poll
    ? definition.poll(context, input)
    : definition.listen?.(context, input, context.emit);
}

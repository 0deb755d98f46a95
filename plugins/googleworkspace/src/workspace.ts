import {
  type Google,
  intervalProperty,
  openGoogle,
  scopesProperty,
  serviceAccountProperty,
  taskExample,
  triggerExample,
} from '@millrace/plugin-gcp/google';
import {
  defineTask,
  defineTrigger,
  type Example,
  integer,
  type Later,
  type MetricInfo,
  type TaskContext,
  type TaskDefinition,
  type TriggerContext,
  type TriggerDefinition,
} from '@millrace/plugin-kit';
import { z } from 'zod';

type Shape = z.ZodRawShape;
type InputOf<S extends Shape> = z.infer<z.ZodObject<S>>;

export const readTimeoutProperty = () =>
  integer({ min: 1 }).default(120).describe('How long to wait for a response of Google, in seconds.');

const workspaceProperties = (scopes: readonly string[]) => ({
  serviceAccount: serviceAccountProperty(),
  readTimeout: readTimeoutProperty(),
  scopes: scopesProperty(...scopes),
});
type WorkspaceInput = InputOf<ReturnType<typeof workspaceProperties>>;

interface Words {
  readonly type: string;
  readonly title: string;
  readonly description: string;
  readonly examples: readonly Example[];
}

interface TaskOptions<S extends Shape, O extends z.ZodObject> extends Words {
  readonly scopes: readonly string[];
  readonly properties: S;
  readonly output: Later<O>;
  readonly metrics?: readonly MetricInfo[];
  run(google: Google, input: InputOf<S>, context: TaskContext): Promise<z.input<O>>;
}

/** A task with the login of Google Workspace. */
export function defineWorkspaceTask<S extends Shape, O extends z.ZodObject>({
  scopes,
  properties,
  run,
  ...words
}: TaskOptions<S, O>): TaskDefinition {
  return defineTask({
    ...words,
    input: () => z.object({ ...workspaceProperties(scopes), ...properties }),
    sideEffects: true,
    run: (context, read) => {
      // `as`: the schema is the sum of both.
      const input = read as InputOf<S> & WorkspaceInput;
      return run(openGoogle(context, input, input.readTimeout * 1000), input, context);
    },
  });
}

interface TriggerOptions<S extends Shape> extends Words {
  readonly scopes: readonly string[];
  readonly interval: string;
  readonly properties: S;
  readonly output: Later<z.ZodObject>;
  poll(
    google: Google,
    input: InputOf<S> & { readonly interval: number },
    context: TriggerContext,
  ): Promise<Readonly<Record<string, unknown>> | undefined>;
}

/** A polling trigger with the login of Google Workspace. */
export function defineWorkspaceTrigger<S extends Shape>({
  scopes,
  interval,
  properties,
  poll,
  ...words
}: TriggerOptions<S>): TriggerDefinition {
  return defineTrigger({
    ...words,
    role: 'polling',
    input: () =>
      z.object({
        serviceAccount: serviceAccountProperty(),
        scopes: scopesProperty(...scopes),
        interval: intervalProperty(interval),
        ...properties,
      }),
    poll: (context, read) => {
      // `as`: the schema is the sum of both.
      const input = read as unknown as InputOf<S> & WorkspaceInput & { readonly interval: number };
      return poll(openGoogle(context, input), input, context);
    },
  });
}

const login = `    serviceAccount: "{{ secret('GOOGLE_SERVICE_ACCOUNT') }}"`;

export const workspaceExample: typeof taskExample = (type, title, lines, more = {}) =>
  taskExample(type, title, lines, { login, ...more });

export const workspaceTriggerExample = (
  type: string,
  title: string,
  lines: string,
  message: string,
): Example => triggerExample(type, title, lines, message, login);

export const scope = (name: string): string => `https://www.googleapis.com/auth/${name}`;

/**
 * The position of a trigger: a time, and the items of exactly that time, because several items may share it.
 * The first poll covers the last interval.
 */
export interface Seen {
  readonly since: string;
  readonly ids: readonly string[];
}

export function seenOf(memory: unknown, lookBackMs: number, now = Date.now()): Seen {
  const read = z.object({ since: z.string(), ids: z.array(z.string()) }).safeParse(memory);
  return read.success ? read.data : { since: new Date(now - lookBackMs).toISOString(), ids: [] };
}

interface Dated {
  readonly id: string;
  /** An ISO date in UTC. */
  readonly date: string;
}

/** The new items, oldest first, and the position after them. */
export function newItems<T extends Dated>(
  items: readonly T[],
  seen: Seen,
  most: number,
): { found: T[]; seen: Seen } {
  const after = Date.parse(seen.since);
  const found = items
    .filter(({ id, date }) => Date.parse(date) >= after && !seen.ids.includes(id))
    .sort((a, b) => Date.parse(a.date) - Date.parse(b.date))
    .slice(0, most);
  const last = found.at(-1)?.date;
  if (last === undefined) return { found, seen };
  const sameTime = found.filter(({ date }) => date === last).map(({ id }) => id);
  return { found, seen: { since: last, ids: last === seen.since ? [...seen.ids, ...sameTime] : sameTime } };
}

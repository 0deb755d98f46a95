import {
  type AdditionalDefinition,
  defineAdditional,
  type JsonSchema,
  ownProperties,
  type Properties,
  readInput,
  renderProperties,
  type TaskContext,
  TaskFailed,
  tasks,
  toJsonSchema,
  Warning,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { isMap } from '../base/callJson.ts';
import { agentWith } from '../base/example.ts';
import { type JsonSchemaMap, objectSchema, type Tool, toolName, toolPlace } from '../base/tool.ts';

const placeholder = '...';

const description = `Each task is a tool. A property whose value is \`...\`, also inside of lists and maps, is given by the model; all
others are as written. What the model gives is never rendered, so it cannot read secrets or outputs by expressions. The
outputs of the task are returned to the model.`;

const define = (name: 'KestraTask' | 'KestraTaskCalling', title: string): AdditionalDefinition =>
  defineAdditional({
    place: toolPlace,
    type: `ai.tool.${name}`,
    title,
    description,
    input: () =>
      z.object({
        tasks: tasks().describe('The tasks; their descriptions tell the model what they do.'),
      }),
    examples: [
      agentWith(
        'with_tasks',
        'Tell the team that the report is ready.',
        `- type: ai.tool.${name}
  tasks:
    - id: notify
      type: core.log.Log
      description: Tells the team something.
      message: "..."`,
      ),
    ],
    create: (context, input) => ({ tools: input.tasks.map((task) => toolOf(context, task)) }),
  });

export const kestraTasks = [
  define('KestraTask', 'Let the model run tasks'),
  define('KestraTaskCalling', 'Let the model run tasks (older name)'),
];

function toolOf(context: TaskContext, task: Properties): Tool {
  const type = String(task.type);
  const definition = context.findType(type);
  if (definition?.kind !== 'task' || definition.role !== 'task')
    throw new TaskFailed(`"${type}" is not a task that a tool can run.`, { retry: false });
  const id = String(task.id ?? type.split('.').at(-1));
  const own = ownProperties('task', task);
  const missing = findPlaceholders(own);
  const schema = toJsonSchema(definition.input);
  const properties = Object.fromEntries(
    missing.map((path) => [
      argumentOf(path),
      schemaFor(path, isMap(schema.properties) ? schema.properties : {}),
    ]),
  );
  return {
    name: toolName('kestra_task', id),
    description: typeof task.description === 'string' ? task.description : definition.title,
    inputSchema: objectSchema(properties),
    async execute(given) {
      // Rendered first and filled afterwards: an expression from the model must stay text.
      const rendered = await renderProperties(definition, own, context);
      const filled = fill(rendered, [], given);
      const properties = readInput(type, definition.input, filled as Properties);
      const result = await definition.run(withoutRendering(context, given), properties);
      return JSON.stringify(result instanceof Warning ? result.outputs : result);
    },
  };
}

/** Some tasks render properties themselves; texts of the model with an expression in them are left as they are. */
function withoutRendering(context: TaskContext, given: unknown): TaskContext {
  const foreign = textsIn(given).filter((text) => /\{[{%#]/.test(text));
  if (foreign.length === 0) return context;
  const isForeign = (value: unknown) =>
    textsIn(value).some((text) => foreign.some((one) => text.includes(one)));
  const render =
    (original: TaskContext['render']): TaskContext['render'] =>
    async (value, more) =>
      isForeign(value) ? value : original(value, more);
  const replaced: Partial<TaskContext> = {
    render: render((value, more) => context.render(value, more)),
    renderTyped: render((value, more) => context.renderTyped(value, more)),
    runNested: async () => {
      throw new TaskFailed('The model gave an expression to a task that runs other tasks.', { retry: false });
    },
  };
  return new Proxy(context, {
    get(target, name) {
      const value: unknown = Reflect.get(name in replaced ? replaced : target, name);
      return typeof value === 'function' && !(name in replaced) ? value.bind(target) : value;
    },
  });
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
}

type Path = readonly string[];

const argumentOf = (path: Path): string => toolName(...path);

function findPlaceholders(value: unknown, path: Path = []): Path[] {
  if (value === placeholder) return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => findPlaceholders(inner, [...path, key]));
}

function fill(value: unknown, path: Path, given: Readonly<Record<string, unknown>>): unknown {
  if (value === placeholder) return given[argumentOf(path)];
  if (Array.isArray(value)) return value.map((item, index) => fill(item, [...path, String(index)], given));
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, fill(inner, [...path, key], given)]),
  );
}

/** The schema of a top-level property; nested properties are strings. */
function schemaFor(path: Path, properties: JsonSchema): JsonSchemaMap {
  const [name = '', ...rest] = path;
  const property = properties[name];
  if (rest.length > 0 || !isMap(property)) return { type: 'string' };
  return JSON.stringify(property).includes('"$ref"')
    ? { description: String(property.description ?? '') }
    : (withoutMarks(property) as JsonSchemaMap);
}

/** Removes the keys that only the UI's forms read. */
function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarks);
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !key.startsWith('$'))
      .map(([key, inner]) => [key, withoutMarks(inner)]),
  );
}

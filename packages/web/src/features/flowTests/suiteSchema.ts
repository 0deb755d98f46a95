import { type Flow, logLevels, stateTypes, type TestAssertion, type TestFixtures } from '@millrace/contract';
import { placedTasks } from '@millrace/engine';
import { generateInput } from '@millrace/engine/dry-run';

type Schema = Readonly<Record<string, unknown>>;

/** Offers some values; the text is checked elsewhere, so others are no mistake here. */
const offering = (values: readonly string[], description: string): Schema => ({
  description,
  anyOf: [{ enum: values }, { type: 'string' }],
});
const described = (type: string, description: string): Schema => ({ type, description });
const namedBy = (names: readonly string[], value: Schema, description: string): Schema => ({
  type: 'object',
  description,
  properties: Object.fromEntries(names.map((name) => [name, value])),
});

/** The JSON Schema that completes a test suite of a flow: its properties, and the names that the flow has. */
export function suiteSchema(flow: Flow): Record<string, unknown> {
  const tasks = placedTasks(flow).map(({ task }) => task);
  const ids = [...new Set(tasks.map(({ id }) => id))];
  const cases = tasks.flatMap(({ cases: written }) =>
    typeof written === 'object' && written !== null ? Object.keys(written) : [],
  );
  const task = offering(ids, 'The id of a task of the flow.');
  const value = (description: string): Schema => ({ description });
  const fixtureTask: Schema = {
    type: 'object',
    required: ['id'],
    properties: {
      id: task,
      description: described('string', 'Why the task has this result.'),
      value: value('Only for the run with this loop value.'),
      outputs: described('object', 'The outputs that the task has.'),
      state: {
        enum: ['SUCCESS', 'WARNING', 'FAILED', 'KILLED', 'SKIPPED'],
        description: 'The state that the task ends with.',
      },
      failedAttempts: described('integer', 'How many attempts fail before the one with this result.'),
    },
  };
  const fixtures: Record<keyof TestFixtures, Schema> = {
    inputs: namedBy(
      (flow.inputs ?? []).map(({ id }) => id),
      {},
      'The inputs of the execution.',
    ),
    tasks: { type: 'array', items: fixtureTask, description: 'Results of tasks that must not run.' },
    files: described(
      'object',
      'Contents by the name of a FILE input, the path of a namespace file or a URI.',
    ),
    trigger: {
      type: 'object',
      description: 'The trigger that starts the execution.',
      properties: {
        id: offering(
          (flow.triggers ?? []).map(({ id }) => id),
          'The id of a trigger of the flow.',
        ),
        type: described('string', 'The type of the trigger.'),
        variables: described('object', 'What the trigger provides to expressions.'),
      },
    },
    labels: described('object', 'The labels of the execution.'),
    kv: described('object', 'Values of the key-value store.'),
    secrets: described('object', 'Values of secrets.'),
    now: described('string', 'The date and time at which the execution starts.'),
    branches: namedBy(
      ids,
      offering(['then', 'else', ...new Set(cases), 'defaults', 'run', 'skip'], 'The branch that is taken.'),
      'The branch that a task takes.',
    ),
  };
  const assertion: Record<keyof TestAssertion, Schema> = {
    taskId: { ...task, description: 'The task that is checked; without it the whole execution.' },
    state: { enum: [...stateTypes], description: 'The state of the task or of the execution.' },
    value: value('An expression whose result is compared.'),
    equalTo: value('The value that is expected.'),
    notEqualTo: value('A value that is not expected.'),
    greaterThan: described('number', 'The value must be greater.'),
    greaterThanOrEqualTo: described('number', 'The value must be at least this.'),
    lessThan: described('number', 'The value must be less.'),
    lessThanOrEqualTo: described('number', 'The value must be at most this.'),
    in: described('array', 'The value must be one of these.'),
    notIn: described('array', 'The value must be none of these.'),
    contains: value('A part of the value.'),
    startsWith: described('string', 'The beginning of the value.'),
    endsWith: described('string', 'The end of the value.'),
    isNull: described('boolean', 'Whether there must be no value.'),
    isNotNull: described('boolean', 'Whether there must be a value.'),
    log: described('string', 'A text that a log line contains.'),
    level: { enum: [...logLevels], description: 'The level of the log line.' },
    untaken: { type: 'array', items: task, description: 'Tasks that must not run.' },
    description: described('string', 'What is checked.'),
    errorMessage: described('string', 'The message when the check fails.'),
  };
  const testCase: Schema = {
    type: 'object',
    required: ['id', 'assertions'],
    properties: {
      id: described('string', 'The name of the test case.'),
      type: described('string', 'The kind of the test case.'),
      description: described('string', 'What is tested.'),
      disabled: described('boolean', 'Whether the test case is left out.'),
      fixtures: { type: 'object', properties: fixtures, description: 'What the execution begins with.' },
      assertions: {
        type: 'array',
        items: { type: 'object', properties: assertion },
        description: 'What must be true when the execution has ended.',
      },
    },
  };
  return {
    type: 'object',
    required: ['id', 'namespace', 'flowId', 'testCases'],
    properties: {
      id: described('string', 'The name of the test suite.'),
      namespace: offering([flow.namespace], 'The namespace of the flow.'),
      flowId: offering([flow.id], 'The flow that is tested.'),
      description: described('string', 'What is tested.'),
      disabled: described('boolean', 'Whether the suite is left out.'),
      testCases: { type: 'array', items: testCase, description: 'The tests of the flow.' },
    },
  };
}

/** A first suite for a flow: one case that expects success. */
export function firstSuite({ namespace, id, inputs }: Flow, suiteId: string): string {
  const given = (inputs ?? []).flatMap((input) => {
    const value = JSON.stringify(input.defaults ?? generateInput(input));
    // Defaults with expressions are rendered only when no value is given.
    return value.includes('{{') || value.includes('{%') ? [] : [`        ${input.id}: ${value}\n`];
  });
  return `id: ${suiteId}
namespace: ${namespace}
flowId: ${id}
testCases:
  - id: succeeds
    fixtures:
      now: 2026-01-01T08:00:00Z
${given.length > 0 ? `      inputs:\n${given.join('')}` : ''}    assertions:
      - state: SUCCESS
`;
}

/** An id that no suite has yet: `orders_test`, then `orders_test_2`. */
export function freeId(wanted: string, taken: readonly string[]): string {
  if (!taken.includes(wanted)) return wanted;
  for (let number = 2; ; number++) {
    const id = `${wanted}_${number}`;
    if (!taken.includes(id)) return id;
  }
}

/** The source with another id in its first `id:` line. */
export const withId = (source: string, id: string): string => source.replace(/^id: .*$/m, `id: ${id}`);

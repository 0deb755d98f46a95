import { describe, expect, it } from 'vitest';
import type { TypeShape } from '../catalogue.ts';
import { parseFlow } from '../flow/parseFlow.ts';

const text = { type: 'string' };
const shapes: Readonly<Record<string, TypeShape>> = {
  'core.debug.Return': { outputs: { type: 'object', properties: { value: text } } },
  'core.log.Log': { outputs: { type: 'object', properties: {} } },
  'core.http.Request': {
    outputs: {
      type: 'object',
      properties: { body: {}, headers: { type: 'object', additionalProperties: text } },
    },
  },
  'core.trigger.Webhook': { outputs: { type: 'object', properties: { body: {}, headers: {} } } },
  'core.execution.Assert': { raw: ['conditions'] },
  'scripts.shell.Script': { addsVariables: true, fixed: ['image'] },
};

/** The warnings about a flow, each with the text it underlines. */
function warningsOf(body: string): string[] {
  const source = `id: f\nnamespace: n\n${body}\n`;
  const { issues } = parseFlow(source, undefined, {
    expressions: (type) => shapes[type] ?? shapes[type.replace('io.kestra.plugin.', '')],
  });
  const lines = source.split('\n');
  return issues
    .filter(({ severity }) => severity === 'warning')
    .map(({ message, range }) => {
      const { start, end } = range ?? { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } };
      return `${lines[start.line - 1]?.slice(start.column - 1, end.column - 1)}: ${message}`;
    });
}

/** A flow whose last task shows the expression. */
const show = (expression: string) => `
inputs:
  - { id: name, type: STRING }
  - { id: db.host, type: STRING }
variables: { greeting: hi }
triggers:
  - { id: hook, type: core.trigger.Webhook, key: k }
tasks:
  - { id: first, type: core.debug.Return, format: x }
  - { id: call, type: core.http.Request, uri: x }
  - id: show
    type: core.log.Log
    message: ${JSON.stringify(expression)}
  - { id: last, type: core.debug.Return, format: x }
`;

describe('A-2.1 A-2.2 A-2.3 A-2.4 A-2.5 [E168] a mistake is underlined', () => {
  it.each([
    ['{{ inputs.nmae }}', 'nmae: Input "nmae" does not exist; did you mean "name"?'],
    ['{{ inputs.db.port }}', 'port: Input "db.port" does not exist'],
    [
      '{{ vars.greting }}',
      'greting: Variable "greting" is not among the variables of the flow; did you mean "greeting"?',
    ],
    ['{{ outputs.frist.value }}', 'frist: Task "frist" does not exist; did you mean "first"?'],
    ["{{ outputs['frist'].value }}", '\'frist\': Task "frist" does not exist; did you mean "first"?'],
    ['{{ tasks.frist.state }}', 'frist: Task "frist" does not exist; did you mean "first"?'],
    ['{{ outputs.first.vlaue }}', 'vlaue: Task "first" has no output "vlaue"; did you mean "value"?'],
    ['{{ outputs.first.value.x }}', 'x: Output "value" of task "first" is a text and has no property "x"'],
    ['{{ outputs.last.value }}', 'last: Task "last" runs after this task, so its outputs do not exist yet'],
    [
      '{{ outputs.show.value }}',
      'show: Task "show" reads its own outputs, which exist only after it has ended',
    ],
    ['{{ trigger.bdoy }}', 'bdoy: No trigger of the flow has an output "bdoy"; did you mean "body"?'],
    ['{{ nwo() }}', 'nwo: Function "nwo" does not exist; did you mean "now"?'],
    ["{{ 'a' | uper }}", 'uper: Filter "uper" does not exist; did you mean "upper"?'],
    ['{{ 1 is evne }}', 'evne: Test "evne" does not exist; did you mean "even"?'],
    ['{{ secret() }}', 'secret: Function "secret" takes 1 to 3 arguments (key, namespace, subkey), got 0'],
    ['{{ uuid(1) }}', 'uuid: Function "uuid" takes no arguments, got 1'],
    [
      "{{ 'a' | replace }}",
      'replace: Filter "replace" takes 1 to 2 arguments (replace_pairs, regexp), got 0',
    ],
    ["{{ now(fromat='iso') }}", 'fromat: Function "now" has no argument "fromat"; did you mean "format"?'],
    ['{{ flow.name }}', 'name: "flow" has no attribute "name"'],
    ['{{ execution.idd }}', 'idd: "execution" has no attribute "idd"; did you mean "id"?'],
    ['{{ taskrun.value }}', 'value: "taskrun.value" exists only in a loop'],
    ['{{ parent.taskrun.value }}', 'parent: "parent" does not exist: no task holds "show"'],
    ['{{ name }}', 'name: Variable "name" does not exist; did you mean "inputs.name"?'],
    ['{{ input.name }}', 'input: Variable "input" does not exist; did you mean "inputs"?'],
    ['{{ inputs.name name }}', 'name: The expression cannot be read: Unexpected token'],
  ])('%s', (expression, expected) => {
    const [found, ...more] = warningsOf(show(expression));
    expect(found).toContain(expected);
    expect(more).toEqual([]);
  });
});

describe('[E168] only the run can know', () => {
  it.each([
    '{{ inputs.name }} {{ inputs.db.host }} {{ vars.greeting }} {{ outputs.first.value }}',
    '{{ outputs.call.body.anything.at[0].all }} {{ outputs.call.headers.any[0] }}',
    "{{ outputs.nothing.x ?? 'fallback' }} {{ outputs.last.value | default('x') }}",
    '{{ outputs[inputs.name].x }} {{ outputs.first[inputs.name] }}',
    "{{ trigger.executionId }} {{ trigger is defined ? trigger.any : '' }}",
    '{{ labels.any.thing }} {{ envs.any }} {{ globals.any }} {{ kestra.url }} {{ namespace.x }} {{ error.message }}',
    '{% set x = 1 %}{{ x }}{% for y in [1] %}{{ y }}{{ loop.index }}{% endfor %}',
    '{% raw %}{{ nothing | unknown }}{% endraw %} {# {{ nothing }} #}',
    "{{ outputs['model.shop.orders'].x }}",
  ])('%s', (expression) => expect(warningsOf(show(expression))).toEqual([]));

  it.each([
    ['types without a shape', 'tasks:\n  - { id: a, type: some.Type, x: "{{ anything }} {{ a b }}" }'],
    [
      'types that add variables',
      'tasks:\n  - { id: a, type: scripts.shell.Script, script: "{{ workingDir }}" }',
    ],
    [
      'properties that are read as written',
      'tasks:\n  - { id: a, type: scripts.shell.Script, image: "{{ nwo() }}" }',
    ],
    [
      'properties that the type renders',
      'tasks:\n  - { id: a, type: core.execution.Assert, conditions: ["{{ row.x }}"] }',
    ],
    [
      'descriptions',
      'description: "{{ nwo() }}"\ntasks:\n  - { id: a, type: core.log.Log, message: x, description: "{{ x }}" }',
    ],
    [
      'variables set by a task',
      'tasks:\n  - { id: a, type: core.execution.SetVariables, variables: { x: 1 } }\n  - { id: b, type: core.log.Log, message: "{{ vars.x }}" }',
    ],
    [
      'outputs asked of a subflow',
      'tasks:\n  - { id: a, type: core.flow.Subflow, namespace: n, flowId: o, outputs: { x: "{{ outputs.theirs.value }}" } }',
    ],
    [
      'tasks of a template',
      'tasks:\n  - { id: a, type: core.flow.Template, namespace: n, templateId: t }\n  - { id: b, type: core.log.Log, message: "{{ outputs.inner.x }}" }',
    ],
    [
      'conditions of triggers',
      'triggers:\n  - { id: t, type: core.trigger.Webhook, key: k, inputs: { a: "{{ outputs.x.y }} {{ trigger.body }}" } }\ntasks:\n  - { id: b, type: core.log.Log, message: x }',
    ],
  ])('%s', (_, body) => expect(warningsOf(body)).toEqual([]));
});

const task = (id: string, reads = '') => `{ id: ${id}, type: core.debug.Return, format: "${reads}" }`;

describe('[E168] tasks in containers', () => {
  it.each([
    [
      'another branch of an If',
      `tasks:\n  - id: if\n    type: core.flow.If\n    condition: "true"\n    then: [${task('yes')}]\n    else: [${task('no', '{{ outputs.yes.value }}')}]`,
      ['yes: Task "yes" runs in another branch, so its outputs never exist here'],
    ],
    [
      'a branch that ran before',
      `tasks:\n  - id: if\n    type: core.flow.If\n    condition: "true"\n    then: [${task('yes')}]\n  - ${task('after', '{{ outputs.yes.value }} {{ outputs.if.evaluationResult }}')}`,
      [],
    ],
    [
      'a condition about the own branch',
      `tasks:\n  - id: if\n    type: core.flow.If\n    condition: "{{ outputs.yes.value }}"\n    then: [${task('yes')}]`,
      ['yes: Task "yes" runs inside this task, after "condition" is evaluated'],
    ],
    [
      'the condition of a loop',
      `tasks:\n  - id: loop\n    type: core.flow.LoopUntil\n    condition: "{{ outputs.try.value }} {{ outputs.loop.iterationCount }}"\n    tasks: [${task('try')}]`,
      [],
    ],
    [
      'parallel tasks',
      `tasks:\n  - id: both\n    type: core.flow.Parallel\n    tasks: [${task('a')}, ${task('b', '{{ outputs.a.value }}')}]`,
      ['a: Task "a" runs in parallel with this task, so its outputs may not exist yet'],
    ],
    [
      'a Dag without the dependency',
      `tasks:\n  - id: dag\n    type: core.flow.Dag\n    tasks:\n      - { task: ${task('a')} }\n      - { task: ${task('b')}, dependsOn: [a] }\n      - { task: ${task('c', '{{ outputs.a.value }} {{ outputs.b.value }}')}, dependsOn: [b] }\n      - { task: ${task('d', '{{ outputs.c.value }}')}, dependsOn: [a] }`,
      ['c: This task does not depend on task "c", so its outputs may not exist yet'],
    ],
    [
      'handlers',
      `tasks:\n  - ${task('a', '{{ outputs.oops.value }} {{ outputs.done.value }}')}\n  - ${task('b')}\nerrors:\n  - ${task('oops', '{{ outputs.a.value }} {{ outputs.b.value }}')}\nfinally:\n  - ${task('done', '{{ outputs.oops.value }}')}`,
      [
        'oops: Task "oops" runs after this task, so its outputs do not exist yet',
        'done: Task "done" runs after this task, so its outputs do not exist yet',
      ],
    ],
    [
      'a loop',
      `tasks:\n  - id: each\n    type: core.flow.ForEach\n    values: [x, y]\n    tasks:\n      - ${task('a', '{{ taskrun.value }} {{ taskrun.iteration }}')}\n      - ${task('b', '{{ outputs.a[taskrun.value].value }} {{ outputs.a.x.value }} {{ outputs.a.value }} {{ outputs.a.x.vlaue }}')}\n  - ${task('after', "{{ loopOutputs(outputs.a, 'value') }} {{ outputs.a.value }}")}`,
      [
        'value: Task "a" runs once per value of a loop: write outputs.a[taskrun.value].value',
        'vlaue: Task "a" has no output "vlaue"; did you mean "value"?',
        `value: Task "a" runs once per value of a loop: write loopOutputs(outputs.a, 'value')`,
      ],
    ],
    [
      'a task in a branch in a loop',
      `tasks:\n  - id: each\n    type: core.flow.ForEach\n    values: [x, y]\n    tasks:\n      - id: if\n        type: core.flow.If\n        condition: "{{ taskrun.value == 'x' }}"\n        then: [${task('a', '{{ taskrun.value }} {{ parent.taskrun.value }}')}]`,
      ['value: "taskrun.value" exists only in the tasks directly in a loop; use "parent.taskrun.value"'],
    ],
    [
      'a task whose id has a hyphen',
      `tasks:\n  - ${task('my-task')}\n  - ${task('b', "{{ outputs.my-task.value }} {{ outputs['my-task'].value }}")}`,
      [
        `my: Task "my" does not exist: "-" subtracts, so write outputs['my-task']`,
        'value: "task" has no attribute "value"',
      ],
    ],
    [
      'a disabled task',
      `tasks:\n  - { id: a, type: core.debug.Return, format: x, disabled: true }\n  - ${task('b', '{{ outputs.a.value }}')}`,
      ['a: Task "a" is disabled, so it has no outputs'],
    ],
    [
      'the stages of a ForEachItem',
      `tasks:\n  - { id: batch, type: core.flow.ForEachItem, items: x, namespace: n, flowId: g, inputs: { f: "{{ taskrun.items }} {{ taskrun.iteration }}" } }\n  - ${task('after', '{{ outputs.batch_merge.subflowOutputs }} {{ taskrun.items }}')}`,
      ['items: "taskrun.items" exists only in the properties of a ForEachItem task'],
    ],
    [
      'outputs of the flow',
      `tasks:\n  - ${task('a')}\noutputs:\n  - { id: o, type: STRING, value: "{{ outputs.a.value }} {{ outputs.b.value }}" }`,
      ['b: Task "b" does not exist'],
    ],
  ])('%s', (_, body, expected) => {
    expect(warningsOf(body)).toEqual(expected);
  });
});

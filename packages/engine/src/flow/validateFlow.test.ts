import { describe, expect, it } from 'vitest';
import { parseFlow } from './parseFlow.ts';

const log = (id: string) => `{ id: ${id}, type: core.log.Log }`;
const findings = (body: string) =>
  parseFlow(`id: f\nnamespace: n\n${body}`).issues.map(
    (issue) => `${issue.severity}${issue.flowLevel ? '!' : ''} ${issue.path}: ${issue.message}`,
  );
const tasks = (...list: string[]) => `tasks:\n${list.map((task) => `  - ${task}\n`).join('')}`;
const one = (more: string) => tasks(log('a')) + more;
const control = (type: string, rest: string) =>
  tasks(`{ id: c, type: io.kestra.plugin.core.flow.${type}, ${rest} }`);

describe('findings about the whole flow', () => {
  it.each<[string, string, string]>([
    [
      '[E120] ids of tasks at any depth',
      tasks(
        log('a'),
        `{ id: p, type: core.flow.Parallel, tasks: [ ${log('a')}, ${log('b')} ], errors: [ ${log('b')} ] }`,
      ),
      'error! tasks[1].tasks[0].id: Duplicate task id with name [a, b]',
    ],
    [
      '[E120] ids in other lists',
      one(`finally: [ ${log('a')} ]\n`),
      'error! finally[0].id: Duplicate task id with name [a]',
    ],
    [
      '[E120] ids of triggers',
      one('triggers: [ { id: t, type: x.Y }, { id: t, type: x.Y } ]\n'),
      'error! triggers[1].id: Duplicate trigger id with name [t]',
    ],
    [
      '[E120] ids of inputs',
      one('inputs: [ { id: i, type: INT }, { id: i, type: INT } ]\n'),
      'error! inputs[1].id: Duplicate input id with name [i]',
    ],
    [
      '[E120] ids of outputs',
      one('outputs: [ { id: o, type: INT, value: 1 }, { id: o, type: INT, value: 1 } ]\n'),
      'error! outputs[1].id: Duplicate output id with name [o]',
    ],
    [
      '[E121] a call of itself',
      tasks('{ id: s, type: core.flow.Subflow, namespace: n, flowId: f }'),
      'error! tasks[0].flowId: Recursive call to flow [n.f]',
    ],
    [
      '[E122] an unknown dependency',
      one('inputs: [ { id: i, type: INT, dependsOn: { inputs: [ j ] } } ]\n'),
      'error! inputs[0].dependsOn.inputs[0]: Input "i" depends on the unknown input "j"',
    ],
    [
      '[E122] itself',
      one('inputs: [ { id: i, type: INT, dependsOn: { inputs: [ i ] } } ]\n'),
      'error! inputs[0].dependsOn.inputs[0]: Input "i" cannot depend on itself',
    ],
    [
      '[E122] a circle',
      one(
        'inputs: [ { id: i, type: INT, dependsOn: { inputs: [ j ] } }, { id: j, type: INT, dependsOn: { inputs: [ i ] } } ]\n',
      ),
      'error! inputs[0].dependsOn.inputs[0]: Input "i" and input "j" depend on each other in a circle',
    ],
    [
      '[E124] system labels',
      one('labels: { system.x: y }\n'),
      'error! labels: System labels can only be set',
    ],
  ])('%s', (_, body, expected) => {
    expect(findings(body)).toContainEqual(expect.stringContaining(expected));
  });

  it('[E124] a flow may make itself read-only', () => {
    expect(findings(one('labels: { system.readOnly: true }\n'))).toEqual([]);
  });
});

describe('findings about tasks', () => {
  it.each<[string, string]>([
    [control('Dag', 'tasks: []'), 'error tasks[0].tasks: at least one task is needed'],
    [
      control('Dag', `tasks: [ { task: ${log('a')}, dependsOn: [ zz ] } ]`),
      'error tasks[0].tasks[0].dependsOn[0]: Not existing task id in dependency: zz',
    ],
    [
      control(
        'Dag',
        `tasks: [ { task: ${log('a')}, dependsOn: [ b ] }, { task: ${log('b')}, dependsOn: [ a ] } ]`,
      ),
      'error tasks[0].tasks: Cyclic dependency detected: a, b',
    ],
    [
      control('Dag', `tasks: [ { task: ${log('a')}, needs: [ b ] } ]`),
      'error tasks[0].tasks[0].needs: Unrecognized',
    ],
    [control('Dag', 'tasks: [ { dependsOn: [] } ]'), 'error tasks[0].tasks[0].task: undefined is not valid'],
    [control('Switch', 'value: x'), 'error tasks[0]: a Switch needs cases or defaults'],
    [control('Switch', 'value: x, cases: {}'), 'error tasks[0].cases: at least one case is needed'],
    [control('Switch', 'value: x, cases: { a: 5 }'), 'error tasks[0].cases.a: expected a list of tasks'],
    [control('If', 'condition: x'), 'error tasks[0].then: at least one task is needed'],
    ...[
      'Sequential',
      'Parallel',
      'EachSequential',
      'EachParallel',
      'ForEach',
      'AllowFailure',
      'WorkingDirectory',
    ].map((type): [string, string] => [
      control(type, 'tasks: []'),
      'error tasks[0].tasks: at least one task is needed',
    ]),
    [
      control('WorkingDirectory', `tasks: [ { id: p, type: core.flow.Parallel, tasks: [ ${log('a')} ] } ]`),
      'error tasks[0].tasks[0]: Only tasks that run on a worker',
    ],
    [
      control('WorkingDirectory', 'tasks: [ { id: s, type: core.flow.Subflow, namespace: n, flowId: g } ]'),
      'error tasks[0].tasks[0]: Only tasks that run on a worker',
    ],
    [
      control('WorkingDirectory', 'tasks: [ { id: s, type: core.execution.Exit } ]'),
      'error tasks[0].tasks[0]: Only tasks that run on a worker',
    ],
    [
      control('WorkingDirectory', 'tasks: [ { id: s, type: x.Y, workerGroup: { key: k } } ]'),
      'error tasks[0].tasks[0].workerGroup: Tasks inside a WorkingDirectory',
    ],
    [
      control('Pause', 'onResume: [ { id: i, type: NOPE } ]'),
      'error tasks[0].onResume[0].type: "NOPE" is not valid',
    ],
    [
      control('Subflow', 'namespace: n, flowId: g, labels: { system.a: b }'),
      'error tasks[0].labels: System labels can only be set',
    ],
    [
      control('Sequential', `tasks: [ ${log('a')}, 5 ]`),
      'error tasks[0].tasks[1]: 5 is not valid; expected a task',
    ],
    [
      control('Sequential', `tasks: [ { id: x y, type: core.log.Log } ]`),
      'error tasks[0].tasks[0].id: "x y"',
    ],
  ])('[E130] %s', (body, expected) => {
    expect(findings(body)).toContainEqual(expect.stringContaining(expected));
  });

  it.each<[string, string]>([
    [
      '{ type: constant, interval: PT1M, maxDuration: PT1S }',
      'interval: interval must be less than maxDuration',
    ],
    [
      '{ type: exponential, interval: PT1M, maxInterval: PT1M }',
      'interval: interval must be less than maxInterval',
    ],
    [
      '{ type: random, minInterval: PT2M, maxInterval: PT1M }',
      'minInterval: minInterval must be less than maxInterval',
    ],
    [
      '{ type: random, minInterval: PT1S, maxInterval: PT1H, maxDuration: PT1M }',
      'maxInterval: maxInterval must be less',
    ],
    ['{ type: constant }', 'interval: is required'],
    ['{ type: constant, interval: PT1M, maxAttempt: 0 }', 'maxAttempt: 0 is not valid'],
    ['{ type: often, interval: PT1M }', 'type: "often" is not valid'],
    ['{ interval: PT1M }', 'type: is required'],
    ['{ type: constant, interval: PT1M, tries: 3 }', 'tries: Unrecognized property'],
  ])('[E133] a retry %s', (retry, expected) => {
    const body = tasks(`{ id: a, type: core.log.Log, retry: ${retry} }`);
    expect(findings(body)).toContainEqual(expect.stringContaining(`error tasks[0].retry.${expected}`));
    expect(findings(one(`retry: ${retry}\n`))).toContainEqual(
      expect.stringContaining(`error retry.${expected}`),
    );
  });
});

describe('findings about inputs', () => {
  it.each<[string, string]>([
    ['type: ARRAY', 'itemType: is required'],
    ['type: ARRAY, itemType: ARRAY', 'itemType: "ARRAY" is not valid'],
    ['type: FILE, defaults: x', 'defaults: the default of a FILE input must be the address of a file'],
    ['type: STRING, validator: "[a-"', 'validator: "[a-" is not valid'],
    ['type: ENUM', 'values: is required'],
    ['type: SELECT', 'values: is missing; expected exactly one of values | expression'],
    ['type: SELECT, values: [a], expression: x', 'values: cannot stand beside expression'],
    ['type: MULTISELECT, values: [a], options: [b]', 'values: cannot stand beside options'],
    ['type: MULTISELECT, values: [a], itemType: JSON', 'itemType: "JSON" is not valid'],
  ])('[E123] %s', (rest, expected) => {
    expect(findings(one(`inputs: [ { id: i, ${rest} } ]\n`))).toContainEqual(
      expect.stringContaining(`error inputs[0].${expected}`),
    );
  });
});

describe('findings about triggers', () => {
  const trigger = (type: string, rest: string) =>
    one(`triggers: [ { id: t, type: core.trigger.${type}, ${rest} } ]\n`);
  it.each<[string, string]>([
    [trigger('Schedule', 'cron: "61 * * * *"'), 'error triggers[0].cron: "61" is not a valid minute'],
    [
      trigger('Schedule', 'cron: "* * * * * *"'),
      'error triggers[0].cron: "* * * * * *" has 6 fields; expected 5',
    ],
    [
      trigger('Schedule', 'cron: "* * * * *", timezone: Nowhere/X'),
      'error triggers[0].timezone: "Nowhere/X"',
    ],
    [trigger('Schedule', 'timezone: UTC'), 'error triggers[0].cron: is required'],
    [trigger('ScheduleOnDates', 'timezone: UTC'), 'error triggers[0].dates: is required'],
    [trigger('ScheduleOnDates', 'dates: [ soon ]'), 'error triggers[0].dates[0]: "soon" is not valid'],
    [trigger('Webhook', 'disabled: true'), 'error triggers[0].key: is required'],
    [trigger('Webhook', `key: ${'k'.repeat(257)}`), 'error triggers[0].key: "kkk'],
    [
      trigger('Webhook', 'key: k, conditions: [ { type: core.condition.MultipleCondition } ]'),
      'error triggers[0].conditions[0]: a MultipleCondition cannot be used on a Webhook',
    ],
    [
      trigger('Flow', 'preconditions: { flows: [ { namespace: n } ] }'),
      'error triggers[0].preconditions.id: is required',
    ],
    [
      trigger('Flow', 'preconditions: { id: p, flows: [ { flowId: n } ] }'),
      '.flows[0].namespace: is required',
    ],
    [
      trigger(
        'Flow',
        'preconditions: { id: p, where: [ { id: w, filters: [ { field: STATE, type: IN } ] } ] }',
      ),
      '.where[0].filters[0].values: is required',
    ],
    [
      trigger(
        'Flow',
        'preconditions: { id: p, where: [ { id: w, filters: [ { field: STATE, type: REGEX } ] } ] }',
      ),
      '.where[0].filters[0].value: is required',
    ],
    [
      trigger('Flow', 'preconditions: { id: p, timeWindow: { type: DAILY_TIME_DEADLINE } }'),
      '.timeWindow.deadline: is required',
    ],
    [
      trigger('Flow', 'preconditions: { id: p, timeWindow: { type: SLIDING_WINDOW, windowAdvance: PT1H } }'),
      '.timeWindow.windowAdvance: windowAdvance cannot be used with a SLIDING_WINDOW',
    ],
    [trigger('Flow', 'states: [SUCCESS]'), 'warning triggers[0]: The flow trigger "t" has no condition'],
    [
      trigger('Schedule', 'cron: "* * * * *", labels: { system.a: b }'),
      'error triggers[0].labels: System labels',
    ],
    [
      trigger('Schedule', 'cron: "* * * * *", stopAfter: [OVER]'),
      'error triggers[0].stopAfter[0]: OVER is not a state',
    ],
  ])('[E140] %s', (body, expected) => {
    expect(findings(body)).toContainEqual(expect.stringContaining(expected));
  });

  it('[E125] old words are deprecations, not errors', () => {
    const body = `taskDefaults: []\nlisteners: [ { tasks: [ ${log('l')} ] } ]\ninputs: [ { name: i, type: INT } ]\n`;
    expect(findings(one(body)).map((text) => text.split(':')[0])).toEqual([
      'deprecation listeners',
      'deprecation inputs[0]',
      'deprecation taskDefaults',
    ]);
  });
});

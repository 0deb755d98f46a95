import { describe, expect, it } from 'vitest';
import type { Catalogue, TypeInfo } from '../catalogue.ts';
import { parseFlow } from './parseFlow.ts';

const head = 'id: f\nnamespace: n\n';
const task = 'tasks: [ { id: a, type: core.log.Log } ]\n';

const messagesOf = (source: string, catalogue?: Catalogue) =>
  parseFlow(source, catalogue).issues.map((issue) => `${issue.severity} ${issue.path}: ${issue.message}`);

const known = (type: string, more: Partial<TypeInfo> = {}): TypeInfo => ({
  type,
  kind: 'task',
  sideEffects: true,
  check: () => [],
  ...more,
});

const catalogue: Catalogue = {
  find: (type) =>
    ({
      'core.log.Log': known('core.log.Log', {
        check: (properties) => [
          ...Object.keys(properties)
            .filter((name) => name !== 'message')
            .map((name) => ({
              severity: 'error' as const,
              path: name,
              message: `Unrecognized field "${name}"`,
            })),
          ...(properties.message === undefined
            ? [{ severity: 'error' as const, path: 'message', message: 'must not be null' }]
            : []),
        ],
      }),
      'old.Log': known('core.log.Log'),
      'core.debug.Echo': known('core.debug.Echo', { deprecated: true }),
      'core.trigger.Schedule': known('core.trigger.Schedule', { kind: 'trigger' }),
    })[type.replace('io.kestra.plugin.', '')],
};

describe('parseFlow', () => {
  it('[E106] a block that ends the text without a line break has none; `yes` is true where a flag is expected', () => {
    const source = `${head}disabled: yes\ntasks:\n  - id: a\n    type: core.log.Log\n    allowFailure: off\n    message: |\n      x\n      y`;
    const { flow, issues } = parseFlow(source);
    expect(issues).toEqual([]);
    expect(flow).toMatchObject({ disabled: true, tasks: [{ allowFailure: false, message: 'x\ny' }] });
    expect(parseFlow(`${source}\n`).flow?.tasks[0]?.message).toBe('x\ny\n');
  });

  it('[E100] reads everything a flow can say', () => {
    const { flow, issues, sourceRevision } = parseFlow(`
id: full
namespace: shop.orders
revision: 4
description: All of it
labels: { team: data, cost: 12, hot: true }
inputs:
  - { name: region, type: STRING, defaults: eu }
  - { id: when, type: DATE, required: false, dependsOn: { inputs: [region], condition: "{{ inputs.region == 'eu' }}" } }
variables: { bucket: raw, deep: { list: [1, two] } }
tasks:
  - id: greet
    type: io.kestra.plugin.core.log.Log
    message: hi
    retry: { type: constant, interval: PT1S, maxAttempt: 3 }
    timeout: PT1M
    runIf: true
errors: [ { id: sorry, type: core.log.Log } ]
finally: [ { id: tidy, type: core.log.Log } ]
afterExecution: [ { id: tell, type: core.log.Log } ]
triggers: [ { id: nightly, type: core.trigger.Schedule, cron: "0 2 * * *", stopAfter: [FAILED] } ]
taskDefaults: [ { type: core.log.Log, values: { level: INFO } } ]
concurrency: { limit: 2 }
outputs: [ { id: out, type: STRING, value: "{{ outputs.greet }}" } ]
retry: { type: exponential, interval: PT1S, maxInterval: PT1M, maxDuration: PT1H }
sla: [ { id: quick, type: MAX_DURATION, duration: PT1H, behavior: FAIL, labels: { late: yes } } ]
disabled: true
`);
    expect(issues.filter((issue) => issue.severity === 'error')).toEqual([]);
    expect(sourceRevision).toBe(4);
    expect(flow).toMatchObject({
      id: 'full',
      namespace: 'shop.orders',
      revision: 0,
      labels: [
        { key: 'team', value: 'data' },
        { key: 'cost', value: '12' },
        { key: 'hot', value: 'true' },
      ],
      inputs: [
        { id: 'region', type: 'STRING', defaults: 'eu' },
        { id: 'when', required: false, dependsOn: { inputs: ['region'] } },
      ],
      tasks: [{ id: 'greet', type: 'io.kestra.plugin.core.log.Log', message: 'hi', runIf: 'true' }],
      triggers: [{ id: 'nightly', stopAfter: ['FAILED'] }],
      pluginDefaults: [{ type: 'core.log.Log', forced: false, values: { level: 'INFO' } }],
      concurrency: { limit: 2, behavior: 'QUEUE' },
      sla: [{ id: 'quick', labels: [{ key: 'late', value: 'yes' }] }],
      disabled: true,
      deleted: false,
    });
  });

  it.each<[string, string, string]>([
    ['id: a b\nnamespace: n\n', task, 'error id: "a b" is not valid'],
    [`id: ${'x'.repeat(101)}\nnamespace: n\n`, task, 'error id: "xxx'],
    ['id: f\nnamespace: Upper\n', task, 'error namespace: "Upper" is not valid'],
    ['namespace: n\n', task, 'error id: is required'],
    ['id: f\n', task, 'error namespace: is required'],
    [head, '', 'error tasks: Each flow must have at least one task'],
    [head, 'tasks: []\n', 'error tasks: Each flow must have at least one task'],
    [head, 'tasks: nothing\n', 'error tasks: "nothing" is not valid; expected a list'],
    [head, `${task}taks: []\n`, 'error taks: Unrecognized property "taks"; known properties: id | namespace'],
    [head, 'tasks: [ { type: core.log.Log } ]\n', 'error tasks[0].id: is required'],
    [head, 'tasks: [ { id: a.b, type: core.log.Log } ]\n', 'error tasks[0].id: "a.b" is not valid'],
    [head, 'tasks: [ { id: a } ]\n', 'error tasks[0].type: is required'],
    [head, 'tasks: [ { id: a, type: "not a type" } ]\n', 'error tasks[0].type: Invalid type: not a type'],
    [
      head,
      'tasks: [ { id: a, type: x.Y, timeout: soon } ]\n',
      'warning tasks[0].timeout: "soon" is not valid',
    ],
    [
      head,
      'tasks: [ { id: a, type: x.Y, retry: { type: constant, interval: "{{ a }}" } } ]\n',
      'error tasks[0].retry.interval: "{{ a }}" is not valid',
    ],
    [
      head,
      'tasks: [ { id: a, type: x.Y, disabled: maybe } ]\n',
      'error tasks[0].disabled: "maybe" is not valid',
    ],
    [
      head,
      'tasks: [ { id: a, type: x.Y, workerGroup: { key: g, fallback: LATER } } ]\n',
      'error tasks[0].workerGroup.fallback: "LATER" is not valid',
    ],
    [
      head,
      'tasks: [ { id: a, type: x.Y, workerSelector: { tags: [g, h], match: ALL } } ]\n',
      'error tasks[0].workerSelector.tags: Exactly one tag is needed',
    ],
    [
      head,
      'tasks: [ { id: a, type: x.Y, workerSelector: { tags: [g], broadcast: true } } ]\n',
      'error tasks[0].workerSelector.broadcast: A task runs on one worker',
    ],
    [
      head,
      `${task}triggers: [ { id: a, type: x.Y, workerGroup: { key: g, fallback: FAIL } } ]\n`,
      'error triggers[0].workerGroup.fallback: "FAIL" is not valid',
    ],
    [head, 'tasks: [ 7 ]\n', 'error tasks[0]: 7 is not valid; expected a task'],
    [head, `${task}labels: { a: [1] }\n`, 'error labels.a: [1] is not valid'],
    [head, `${task}labels: [ { key: a } ]\n`, 'error labels[0].value: is required'],
    [head, `${task}concurrency: { limit: 0 }\n`, 'error concurrency.limit: 0 is not valid'],
    [head, `${task}inputs: [ { id: i, type: TEXT } ]\n`, 'error inputs[0].type: "TEXT" is not valid'],
    [
      head,
      `${task}inputs: [ { id: i, type: STRING, min: 1 } ]\n`,
      'error inputs[0].min: Unrecognized property',
    ],
    [
      head,
      `${task}sla: [ { id: s, type: MAX_DURATION, behavior: FAIL } ]\n`,
      'error sla[0].duration: is required',
    ],
    [head, `${task}pluginDefaults: [ { type: x.Y } ]\n`, 'error pluginDefaults[0].values: is required'],
    [head, `${task}revision: zero\n`, 'error revision: "zero" is not valid'],
    [head, `${task}listeners: [ { tasks: [] } ]\n`, 'error listeners[0].tasks: at least one task is needed'],
  ])('[E101] [S2-5.1] [S2-5.4] %s%s', (start, rest, expected) => {
    expect(messagesOf(start + rest)).toContainEqual(expect.stringContaining(expected));
  });

  it('[E102] every issue has a range, and positions answer for any path and place', () => {
    const source = `${head}tasks:\n  - id: one\n    type: core.log.Log\n  - id: two words\n    type: core.log.Log\n`;
    const { issues, rangeOf, pathAt } = parseFlow(source);
    expect(issues).toMatchObject([
      { path: 'tasks[1].id', range: { start: { line: 6, column: 9 }, end: { line: 6, column: 18 } } },
    ]);
    expect(rangeOf('tasks[0].type')).toEqual({
      start: { line: 5, column: 11 },
      end: { line: 5, column: 23 },
    });
    expect(rangeOf('tasks[9]')).toBeUndefined();
    expect(pathAt(5, 12)).toBe('tasks[0].type');
    expect(pathAt(6, 5)).toBe('tasks[1].id');
    expect(pathAt(1, 2)).toBe('id');
  });

  it('[E103] a broken document is one issue with its line and column', () => {
    const { flow, issues } = parseFlow('id: f\nnamespace: n\ntasks: [ }\n');
    expect(flow).toBeUndefined();
    expect(issues).toMatchObject([{ severity: 'error', path: 'yaml', range: { start: { line: 3 } } }]);
    expect(issues[0]?.message).toContain('at line 3 column');
  });

  it('[E104] a duplicate property is an error that points at its second place', () => {
    const [issue] = parseFlow(`${head}${task}id: g\n`).issues;
    expect(issue).toMatchObject({
      path: 'id',
      message: 'Duplicate property "id"',
      range: { start: { line: 4 } },
    });
  });

  it('[E105] aliases and merge keys are followed', () => {
    const { flow, issues } = parseFlow(`${head}
variables: { base: &base { level: WARN, message: hi } }
tasks:
  - { id: a, type: core.log.Log, <<: *base }
  - { <<: *base, id: b, type: core.log.Log, level: INFO }
`);
    expect(issues).toEqual([]);
    expect(flow?.tasks).toEqual([
      { id: 'a', type: 'core.log.Log', level: 'WARN', message: 'hi' },
      { id: 'b', type: 'core.log.Log', level: 'INFO', message: 'hi' },
    ]);
  });

  it('[E106] unquoted words and dates stay text, large numbers keep their digits', () => {
    const { flow } = parseFlow(
      `${head}${task}variables: { a: yes, b: 2025-01-01, c: 0x1F, d: 12345678901234567890, e: ~, f: 1e3, g: "1", h: 1e999 }\n`,
    );
    expect(flow?.variables).toEqual({
      a: 'yes',
      b: '2025-01-01',
      c: 31,
      d: '12345678901234567890',
      e: null,
      f: 1000,
      g: '1',
      h: '1e999',
    });
  });

  it('[E107] a byte-order mark is ignored', () => {
    expect(parseFlow(`\uFEFF${head}${task}`).issues).toEqual([]);
  });

  it('[E110] an unknown type is named, an alias tells its replacement, a deprecated type its path', () => {
    const flow = (type: string) => `${head}tasks: [ { id: a, type: ${type}, message: m } ]\n`;
    expect(messagesOf(flow('no.Such'), catalogue)).toEqual(['error tasks[0].type: Invalid type: no.Such']);
    expect(messagesOf(flow('core.trigger.Schedule'), catalogue)).toEqual([
      'error tasks[0].type: Invalid type: core.trigger.Schedule',
    ]);
    expect(messagesOf(flow('old.Log'), catalogue)).toEqual([
      'info tasks[0].type: "old.Log" is another name for "core.log.Log"',
    ]);
    expect(messagesOf(flow('io.kestra.plugin.core.log.Log'), catalogue)).toEqual([]);
    expect(messagesOf(flow('core.debug.Echo'), catalogue)).toEqual([
      'deprecation tasks[0]: "core.debug.Echo" is deprecated',
    ]);
  });

  it('[E111] properties are checked with the plugin defaults in place', () => {
    const flow = `${head}tasks: [ { id: a, type: core.log.Log, oops: 1 } ]\n`;
    expect(messagesOf(flow, catalogue)).toEqual([
      'error tasks[0].oops: Unrecognized field "oops"',
      'error tasks[0].message: must not be null',
    ]);
    const defaults = 'pluginDefaults: [ { type: core.log, values: { message: m } } ]\n';
    expect(messagesOf(flow + defaults, catalogue)).toEqual([
      'error tasks[0].oops: Unrecognized field "oops"',
    ]);
  });

  it('[E151] a default for an exact type is checked against it', () => {
    const flow = `${head}tasks: [ { id: a, type: core.log.Log, message: m } ]\npluginDefaults: [ { type: core.log.Log, values: { oops: 1 } } ]\n`;
    expect(messagesOf(flow, catalogue)).toContain(
      'error pluginDefaults[0].values.oops: Unrecognized field "oops"',
    );
  });
});

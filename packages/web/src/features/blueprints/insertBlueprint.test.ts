import { parseFlow } from '@millrace/engine';
import { describe, expect, it } from 'vitest';
import { fieldsOf, fillBlueprint, secretsOf } from './fillBlueprint.ts';
import { countParts, insertBlueprint, replaceWith } from './insertBlueprint.ts';

const flow = `id: nightly # mine
namespace: shop

inputs:
  - id: day
    type: STRING
  - id: region
    type: STRING

tasks:
  # first
  - id: load
    type: core.log.Log
    message: hi
  - id: all
    type: core.flow.Sequential
    tasks:
      - id: inner
        type: core.log.Log
        message: in
`;
const blueprint = `id: other
namespace: company.team
inputs:
  - id: day
    type: DATE
    defaults: 2026-01-01
  # Where it runs.
  - id: region
    type: STRING
  - id: limit
    type: INT
    defaults: 5
variables:
  host: db.example.com
tasks:
  # Reads the rows.
  - id: load
    type: core.http.Request
    uri: https://example.com/{{ inputs.day }} # the day
  - id: show
    type: core.log.Log
    message: "{{ outputs.load.code }} {{ vars.host }} {{ secret('TOKEN') }} {{ inputs['day'] }}"
    host: db.example.com
triggers:
  - id: daily
    type: core.trigger.Schedule
    cron: "0 4 * * *"
`;

describe('a blueprint in the text of a flow', () => {
  it('puts its tasks behind the task at the cursor, with free names, comments, and everything else merged', () => {
    const { source = '', line } = insertBlueprint(flow, blueprint, 'inner') ?? {};
    expect(source).toBe(`id: nightly # mine
namespace: shop

inputs:
  - id: day
    type: STRING
  - id: region
    type: STRING
  - id: day_2
    type: DATE
    defaults: 2026-01-01
  - id: limit
    type: INT
    defaults: 5

variables:
  host: db.example.com

tasks:
  # first
  - id: load
    type: core.log.Log
    message: hi
  - id: all
    type: core.flow.Sequential
    tasks:
      - id: inner
        type: core.log.Log
        message: in
      # Reads the rows.
      - id: load_2
        type: core.http.Request
        uri: https://example.com/{{ inputs.day_2 }} # the day
      - id: show
        type: core.log.Log
        message: "{{ outputs.load_2.code }} {{ vars.host }} {{ secret('TOKEN') }} {{ inputs['day_2'] }}"
        host: db.example.com

triggers:
  - id: daily
    type: core.trigger.Schedule
    cron: "0 4 * * *"
`);
    expect(source.split('\n')[(line ?? 0) - 1]).toContain('load_2');
    expect(parseFlow(source).issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('is the whole text of an empty editor, and replaces a text under its id and namespace', () => {
    expect(insertBlueprint('# soon\n\n', blueprint, undefined)?.source).toBe(blueprint);
    expect(replaceWith(flow, blueprint)).toContain('id: nightly\nnamespace: shop\ninputs:');
    expect(insertBlueprint('tasks: [', blueprint, undefined)).toBeUndefined();
    expect(countParts(blueprint)).toEqual([
      { name: 'tasks', count: 2 },
      { name: 'inputs', count: 3 },
      { name: 'triggers', count: 1 },
      { name: 'variables', count: 1 },
    ]);
  });

  it('A-9.6 is filled in: defaults of inputs, variables and the names that only examples have', () => {
    const fields = fieldsOf(blueprint);
    expect(fields.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'input day',
      'input region',
      'input limit',
      'variable host',
      'placeholder db.example.com',
    ]);
    const filled = fillBlueprint(blueprint, fields, {
      'input limit': '7',
      'input region': 'eu',
      'placeholder db.example.com': 'db.shop',
    });
    expect(filled).toContain('defaults: 7');
    expect(filled).toContain('  # Where it runs.\n  - id: region\n    type: STRING\n    defaults: eu');
    expect(filled).toContain('    host: db.shop\n');
    expect(secretsOf(blueprint)).toEqual(['TOKEN']);
  });
});

import type { Input } from '@millrace/contract';
import type { Host } from '@millrace/expression';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type InputContext, resolveInputs } from './resolveInputs.ts';

const host: Host = { now: () => 0, random: () => 0.5, id: () => 'id', kv: async () => ['x', 'y'] };
const context: InputContext = {
  variables: { flow: { id: 'f', namespace: 'n' }, vars: { region: 'eu' } },
  host,
  encrypt: (text) => `sealed(${text})`,
};

const resolve = (inputs: Input[], supplied: Record<string, unknown> = {}, more: Partial<InputContext> = {}) =>
  resolveInputs(inputs, supplied, { ...context, ...more });

const one = async (input: Omit<Input, 'id'>, value?: unknown) => {
  const definition = { id: 'i', ...input } as Input;
  const { inputs } = await resolve([definition], value === undefined ? {} : { i: value });
  return inputs[0]!;
};

describe('values by type', () => {
  it.each<[Omit<Input, 'id'>, unknown, unknown]>([
    [{ type: 'STRING' }, 'hello', 'hello'],
    [{ type: 'STRING' }, '', ''],
    [{ type: 'STRING' }, 12, '12'],
    [{ type: 'STRING', validator: '[a-z]+' }, 'abc', 'abc'],
    [{ type: 'INT' }, '42', 42],
    [{ type: 'INT', min: 1, max: 3 }, '3', 3],
    [{ type: 'FLOAT' }, '42.42', 42.42],
    [{ type: 'BOOLEAN' }, 'TRUE', true],
    [{ type: 'BOOLEAN' }, 'yes', false],
    [{ type: 'BOOL' }, true, true],
    [{ type: 'DATETIME' }, '2019-10-06T18:27:49Z', '2019-10-06T18:27:49Z'],
    [{ type: 'DATETIME' }, '2019-10-06T20:27:49.120+02:00', '2019-10-06T18:27:49.12Z'],
    [{ type: 'DATE' }, '2024-02-29', '2024-02-29'],
    [{ type: 'TIME' }, '01:00:00', '01:00'],
    [{ type: 'TIME' }, '18:27:49', '18:27:49'],
    [{ type: 'DURATION' }, 'pt5m6s', 'PT5M6S'],
    [{ type: 'JSON' }, '{"a": [1]}', { a: [1] }],
    [{ type: 'JSON' }, { a: 1 }, { a: 1 }],
    [{ type: 'YAML' }, 'some: "x"\nlist: [1]\n', { some: 'x', list: [1] }],
    [{ type: 'URI' }, 'https://example.org/path?q=1', 'https://example.org/path?q=1'],
    [{ type: 'EMAIL' }, 'a.b@example.org', 'a.b@example.org'],
    [{ type: 'EMAIL' }, '', ''],
    [{ type: 'FILE' }, 'kestra:///n/f/x.csv', 'kestra:///n/f/x.csv'],
    [{ type: 'FILE' }, 'nsfile:///x.csv', 'nsfile:///x.csv'],
    [{ type: 'SECRET' }, 'hush', { type: 'io.kestra.datatype:aes_encrypted', value: 'sealed(hush)' }],
    [{ type: 'ARRAY', itemType: 'INT' }, '[1, "2"]', [1, 2]],
    [{ type: 'ARRAY', itemType: 'STRING' }, ['a'], ['a']],
    [{ type: 'SELECT', values: ['a', 'b'] }, 'b', 'b'],
    [{ type: 'SELECT', values: ['a'], allowCustomValue: true }, 'z', 'z'],
    [{ type: 'ENUM', values: ['a', 'b'] }, 'a', 'a'],
    [{ type: 'MULTISELECT', values: ['a', 'b'] }, '["b", "a"]', ['b', 'a']],
    [{ type: 'MULTISELECT', values: ['1', '2'], itemType: 'INT' }, ['2'], [2]],
    [{ type: 'MULTISELECT', options: ['a'] }, ['a'], ['a']],
  ])('[E200] %j reads %j as %j', async (input, value, expected) => {
    expect(await one(input, value)).toMatchObject({ value: expected, enabled: true, errors: [] });
  });

  it.each<[Omit<Input, 'id'>, unknown, string]>([
    [{ type: 'STRING', validator: '[a-z]+' }, 'abc1', 'it must match the pattern `[a-z]+`'],
    [{ type: 'INT' }, 'abc', 'Expected `INT`'],
    [{ type: 'INT' }, '1.5', 'Expected `INT`'],
    [{ type: 'INT' }, '3000000000', 'Expected `INT`'],
    [{ type: 'INT', min: 5 }, '4', 'it must be more than `5`'],
    [{ type: 'FLOAT', max: 1.5 }, '1.6', 'it must be less than `1.5`'],
    [{ type: 'FLOAT' }, 'NaN', 'Expected `FLOAT`'],
    [{ type: 'DATETIME' }, '2019-10-06T18:27:49', 'Expected `DATETIME`'],
    [
      { type: 'DATETIME', after: '2020-01-01T00:00:00Z' },
      '2019-10-06T18:27:49Z',
      'it must be after `2020-01-01T00:00:00Z`',
    ],
    [{ type: 'DATE' }, '2023-02-29', 'Expected `DATE`'],
    [{ type: 'DATE', before: '2020-01-01' }, '2020-01-02', 'it must be before `2020-01-01`'],
    [{ type: 'TIME' }, '25:00', 'Expected `TIME`'],
    [{ type: 'TIME', after: '12:00:00' }, '11:59', 'it must be after `12:00:00`'],
    [{ type: 'DURATION' }, 'five', 'Expected `DURATION`'],
    [{ type: 'DURATION', max: 'PT1H' }, 'PT2H', 'it must be less than `PT1H`'],
    [{ type: 'JSON' }, '{a: 1}', 'Expected `JSON`'],
    [{ type: 'YAML' }, 'a: [', 'Expected `YAML`'],
    [{ type: 'URI' }, 'http:/bla', 'Expected `URI`'],
    [{ type: 'EMAIL' }, 'nobody', 'Expected `EMAIL`'],
    [{ type: 'FILE' }, '/etc/passwd', 'Expected `FILE`'],
    [{ type: 'FILE' }, 'kestra:///a/../../b', 'Expected `FILE`'],
    [{ type: 'FILE' }, 'nsfile:///../b', 'Expected `FILE`'],
    [{ type: 'ARRAY', itemType: 'INT' }, '["a"]', 'Unable to parse array element as `INT` on `a`'],
    [{ type: 'ARRAY', itemType: 'INT' }, '{}', 'Expected `ARRAY`'],
    [{ type: 'SELECT', values: ['a', 'b'] }, 'c', 'it must match the values `[a, b]`'],
    [{ type: 'ENUM', values: ['a'], allowCustomValue: true }, 'c', 'it must match the values `[a]`'],
    [{ type: 'MULTISELECT', values: ['a'] }, '["c"]', 'it must match the values `[a]`'],
  ])('[E201] %j refuses %j: %s', async (input, value, reason) => {
    const received = typeof value === 'string' ? value : JSON.stringify(value);
    expect((await one(input, value)).errors).toEqual([
      `Invalid input for \`i\`, ${reason}, but received \`${received}\``,
    ]);
  });

  it('[E202] a pattern that would run endlessly in a backtracking engine is evaluated at once', async () => {
    const { errors } = await one({ type: 'STRING', validator: '(a+)+b' }, 'a'.repeat(50_000));
    expect(errors).toHaveLength(1);
  });

  it('[E205] a secret is refused without a key and never repeated in a message', async () => {
    const { encrypt: _encrypt, ...keyless } = context;
    const secret: Input = { id: 's', type: 'SECRET', validator: 'a+' };
    const { inputs } = await resolveInputs([secret], { s: 'aaa' }, keyless);
    expect(inputs[0]?.errors[0]).toContain('no encryption key');
    expect(inputs[0]?.errors[0]).not.toContain('aaa');
    expect((await resolve([secret], { s: 'hush' })).errors[0]).not.toContain('hush');
  });
});

describe('resolution', () => {
  it('[E206] a missing input takes its default, rendered; without one it fails unless it is optional', async () => {
    const { values, errors } = await resolve([
      { id: 'a', type: 'STRING', defaults: 'in {{ vars.region }}' },
      { id: 'b', type: 'INT', defaults: 3 },
      { id: 'c', type: 'JSON', defaults: { at: '{{ vars.region }}' } },
      { id: 'd', type: 'STRING', required: false },
      { id: 'e', type: 'STRING' },
    ]);
    expect(values).toEqual({ a: 'in eu', b: 3, c: { at: 'eu' }, d: null });
    expect(errors).toEqual(['e: Invalid input for `e`, missing required input, but received `null`']);
  });

  it('[E206] what a caller sends is never rendered', async () => {
    const { values } = await resolve([{ id: 'a', type: 'STRING' }], { a: '{{ vars.region }}' });
    expect(values).toEqual({ a: '{{ vars.region }}' });
  });

  it('[E204] an input is enabled by the inputs it depends on and by its condition', async () => {
    const inputs: Input[] = [
      { id: 'cloud', type: 'BOOLEAN', defaults: 'false' },
      { id: 'region', type: 'STRING', dependsOn: { inputs: ['cloud'], condition: '{{ inputs.cloud }}' } },
      { id: 'zone', type: 'STRING', dependsOn: { inputs: ['region'] } },
      {
        id: 'size',
        type: 'STRING',
        dependsOn: { inputs: ['cloud'], condition: '{{ inputs.cloud == false }}' },
      },
    ];
    const off = await resolve(inputs, { size: 's' });
    expect(off.inputs.map((input) => input.enabled)).toEqual([true, false, false, true]);
    expect(off.values).toEqual({ cloud: false, size: 's' });
    const on = await resolve(inputs, { cloud: 'true', region: 'eu', zone: 'a' });
    expect(on.values).toEqual({ cloud: true, region: 'eu', zone: 'a' });
  });

  it('[E203] order does not matter and circles end', async () => {
    const inputs: Input[] = [
      {
        id: 'late',
        type: 'STRING',
        defaults: '{{ inputs.early }}!',
        dependsOn: { inputs: ['early', 'nowhere'] },
      },
      { id: 'early', type: 'STRING', dependsOn: { inputs: ['late'] } },
    ];
    expect((await resolve(inputs, { early: 'x' })).values).toEqual({ late: 'x!', early: 'x' });
  });

  it('[E207] choices may come from an expression, even one that waits for the outside', async () => {
    const input: Input = { id: 's', type: 'SELECT', expression: "{{ kv('choices') }}" };
    const { inputs, values } = await resolve([input], { s: 'y' });
    expect(inputs[0]?.input.values).toEqual(['x', 'y']);
    expect(values).toEqual({ s: 'y' });
    expect((await resolve([{ ...input, expression: '{{ 5 }}' }], { s: 'y' })).errors[0]).toContain(
      'must give a list',
    );
  });

  it('[E208] dotted ids nest, supplied flat or nested; unknown keys are ignored', async () => {
    const inputs: Input[] = [
      { id: 'nested.more.int', type: 'INT' },
      { id: 'nested.text', type: 'STRING' },
    ];
    const { values } = await resolve(inputs, { 'nested.more.int': '1', nested: { text: 't' }, other: 9 });
    expect(values).toEqual({ nested: { more: { int: 1 }, text: 't' } });
  });

  it('[E209] ids and values cannot reach a prototype', async () => {
    const inputs: Input[] = [
      { id: 'a.__proto__.polluted', type: 'STRING' },
      { id: 'j', type: 'JSON' },
    ];
    const supplied = { 'a.__proto__.polluted': 'yes', j: '{"__proto__": {"polluted": "yes"}}' };
    await resolve(inputs, supplied);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('never throws, whatever is supplied', async () => {
    const types = fc.constantFrom<Input['type']>(
      'STRING',
      'INT',
      'DATETIME',
      'TIME',
      'JSON',
      'YAML',
      'ARRAY',
      'MULTISELECT',
      'URI',
      'FILE',
    );
    await fc.assert(
      fc.asyncProperty(types, fc.anything(), async (type, value) => {
        const { inputs } = await resolve([{ id: 'i', type, values: ['a'], itemType: 'INT' }], { i: value });
        expect(inputs).toHaveLength(1);
      }),
      { numRuns: 300 },
    );
  });
});

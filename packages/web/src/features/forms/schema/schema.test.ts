import { describe, expect, test } from 'vitest';
import { flowSchema } from '../../../testing/flowSchema.ts';
import { readExpressionText, showExpressionText } from '../fields/code.tsx';
import { branchOf, toBranch } from './branch.ts';
import { checkValue } from './check.ts';
import { fieldOf } from './field.ts';
import { copyOf, freeId, newElement, withType } from './newElement.ts';
import { propertiesOf } from './properties.ts';
import { asSchema, type Definitions, resolve, typeSchema, typesOf } from './schema.ts';
import { schemaAt } from './schemaAt.ts';

const real = (): Definitions => asSchema(flowSchema().definitions);
const taskPlace = () => resolve(real(), { $ref: '#/definitions/Task' });
const taskSchema = (type: string) => typeSchema(real(), taskPlace(), type) ?? {};

describe('S1-3.13 the form schema', () => {
  test.each([
    ['type', { type: 'string' }, 'string'],
    ['a choice', { enum: ['A', 'B'] }, 'enum'],
    ['a constant', { const: 1 }, 'constant'],
    ['a number', { type: 'integer' }, 'number'],
    ['a duration', { type: 'string', format: 'duration' }, 'duration'],
    ['a moment', { type: 'string', format: 'date-time' }, 'dateTime'],
    ['a map', { type: 'object', additionalProperties: { type: 'string' } }, 'dict'],
    ['any map', { type: 'object' }, 'dict'],
    ['a list', { type: 'array', items: { type: 'string' } }, 'list'],
    ['a list of objects', { type: 'array', items: { type: 'object', properties: { a: {} } } }, 'blocks'],
    ['an object', { type: 'object', properties: { a: {} } }, 'object'],
    ['several shapes', { oneOf: [{ type: 'string' }, { type: 'integer' }] }, 'oneOf'],
    ['words or any text', { anyOf: [{ enum: ['a'] }, { type: 'string' }] }, 'suggestions'],
    [
      'a value or an expression',
      { oneOf: [{ type: 'boolean' }, { type: 'string', pattern: '.*{{.*}}.*' }] },
      'boolean',
    ],
    ['nothing said', {}, 'any'],
    ['a reference', { $ref: '#/definitions/Part' }, 'object'],
    ['a reference with words beside it', { allOf: [{ $ref: '#/definitions/Part' }], title: 'x' }, 'object'],
    ['a reference to itself', { $ref: '#/definitions/Loop' }, 'any'],
  ])('knows %s', (_, schema, kind) => {
    const definitions = {
      Part: { type: 'object', properties: { a: { type: 'string' } } },
      Loop: { $ref: '#/definitions/Loop' },
    };
    expect(fieldOf(definitions, schema).kind).toBe(kind);
  });

  test('follows references and keeps texts, defaults, limits and patterns of the real types', () => {
    const log = taskSchema('core.log.Log');
    expect(log.title).toBe('Write to the log of the execution');
    const level = fieldOf(real(), asSchema(log.properties).level);
    expect(level).toMatchObject({ kind: 'enum', isDynamic: true, schema: { default: 'INFO' } });
    const timeout = fieldOf(real(), asSchema(log.properties).timeout);
    expect(timeout.kind).toBe('duration');
    const id = fieldOf(real(), asSchema(log.properties).id);
    expect(checkValue(id, 'a b', true)).toMatchObject({ kind: 'invalid', reason: { rule: 'pattern' } });
    const concurrent = fieldOf(real(), asSchema(taskSchema('core.flow.Parallel').properties).concurrent);
    expect(checkValue(concurrent, -1, false)).toMatchObject({ reason: { rule: 'minimum', limit: 0 } });
  });

  test('an older name has the schema of the type it stands for', () => {
    expect(taskSchema('io.kestra.plugin.core.log.Log')).toEqual(taskSchema('core.log.Log'));
    expect(typesOf(taskPlace()).get('core.log.Log')).toBe(taskSchema('core.log.Log').title);
    expect(typesOf(taskPlace()).has('io.kestra.plugin.core.log.Log')).toBe(false);
  });

  test('every property of every type of the product has a field', () => {
    const kinds = new Map<string, number>();
    for (const type of typesOf(taskPlace()).keys()) {
      const schema = taskSchema(type);
      for (const { name, schema: own } of propertiesOf(real(), schema)) {
        const { kind } = fieldOf(real(), own, { name, parent: schema });
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      }
    }
    for (const kind of [
      'string',
      'boolean',
      'number',
      'duration',
      'enum',
      'list',
      'blocks',
      'dict',
      'block',
      'oneOf',
    ]) {
      expect(kinds.get(kind), kind).toBeGreaterThan(0);
    }
  });

  test('walks down to a task in a Dag in a case of a Switch', () => {
    const data = {
      tasks: [
        {
          type: 'core.flow.Switch',
          cases: { a: [{ type: 'core.flow.Dag', tasks: [{ task: { type: 'core.log.Log' } }] }] },
        },
      ],
    };
    const flow = asSchema(real().Flow);
    const path = ['tasks', 0, 'cases', 'a', 0, 'tasks', 0, 'task'];
    expect(schemaAt(real(), flow, data, path).field.kind).toBe('block');
    expect(schemaAt(real(), flow, data, [...path, 'message']).field.kind).toBe('oneOf');
  });
});

describe('the order of an object form', () => {
  const names = (schema: Record<string, unknown>) => propertiesOf({}, schema).map(({ name }) => name);

  test('S1-5.11 the id is first and always required', () => {
    const [first] = propertiesOf({}, { properties: { alpha: {}, id: {} }, required: ['alpha'] });
    expect(first).toMatchObject({ name: 'id', isRequired: true });
    expect(propertiesOf(real(), taskSchema('core.log.Log'))[0]).toMatchObject({
      name: 'id',
      isRequired: true,
    });
  });

  test('S1-5.12 required ones come before optional ones', () => {
    expect(names({ properties: { a: {}, b: {}, c: {} }, required: ['c'] })).toEqual(['c', 'a', 'b']);
  });

  test('S1-5.13 those without a default come before those with one', () => {
    expect(
      names({ properties: { a: { default: 1 }, b: {}, c: { default: 2 }, d: {} }, required: ['c', 'd'] }),
    ).toEqual(['d', 'c', 'b', 'a']);
  });

  test('S1-5.14 then by name', () => {
    expect(names({ properties: { zeta: {}, Beta: {}, alpha: {} } })).toEqual(['alpha', 'Beta', 'zeta']);
  });

  test.each([
    ['core.flow.If', ['condition', 'then', 'else']],
    ['core.flow.Switch', ['value', 'cases', 'defaults']],
    ['core.flow.ForEach', ['values', 'tasks']],
    ['core.flow.LoopUntil', ['condition', 'checkFrequency', 'tasks']],
    ['core.flow.Pause', ['onResume', 'pauseDuration']],
    ['core.flow.Parallel', ['tasks']],
    ['core.flow.Dag', ['tasks']],
    ['core.flow.Sleep', ['duration']],
    ['core.log.Log', ['message']],
  ])('what %s is made of is in sight, values before the tasks inside it', (type, inSight) => {
    const main = propertiesOf(real(), taskSchema(type)).filter(({ isMain }) => isMain);
    expect(main.map(({ name }) => name)).toEqual(['id', ...inSight]);
  });

  test('own optional properties come before those that every task has', () => {
    const own = propertiesOf(real(), taskSchema('core.http.Request')).map(({ name }) => name);
    expect(own.indexOf('headers')).toBeLessThan(own.indexOf('allowFailure'));
  });
});

describe('values', () => {
  const number = fieldOf({}, { type: 'number', minimum: 2, maximum: 9, multipleOf: 0.5 });

  test.each([
    ['S1-5.4 a required number that is empty', '', true, { kind: 'required' }],
    ['an optional one', '', false, undefined],
    ['S1-5.5 what is no number', 'many', false, { kind: 'invalid', reason: { rule: 'number' } }],
    ['S1-5.6 too little', 1, false, { kind: 'invalid', reason: { rule: 'minimum', limit: 2 } }],
    ['S1-5.6 too much', 10, false, { kind: 'invalid', reason: { rule: 'maximum', limit: 9 } }],
    ['S1-5.6 beside the step', 2.3, false, { kind: 'invalid', reason: { rule: 'multiple', limit: 0.5 } }],
    ['S1-5.6 on the step', 2.5, true, undefined],
    ['an expression', '{{ inputs.n }}', true, undefined],
  ])('%s', (_, value, isRequired, problem) => {
    expect(checkValue(number, value, isRequired)).toEqual(problem);
  });

  const text = fieldOf({}, { type: 'string', pattern: '^[a-z]+$', maxLength: 3 });

  test.each([
    ['S1-5.7 a required text that is empty', '', true, 'required'],
    ['S1-5.8 a text that fails the pattern', 'A1', true, 'invalid'],
    ['a text that is too long', 'abcd', true, 'invalid'],
    ['a good one', 'abc', true, undefined],
  ])('%s', (_, value, isRequired, kind) => {
    expect(checkValue(text, value, isRequired)?.kind).toBe(kind);
  });

  test('a pattern that cannot be read forbids nothing', () => {
    expect(checkValue(fieldOf({}, { type: 'string', pattern: '(' }), 'x', true)).toBeUndefined();
  });

  test.each([
    ['PT1H', undefined],
    ['P1DT1H1M1S', undefined],
    ['1h', { kind: 'duration' }],
    [7, undefined],
    [[7], { kind: 'duration' }],
  ])('S1-5.32 %s as a duration', (value, problem) => {
    expect(checkValue(fieldOf({}, { type: 'string', format: 'duration' }), value, true)).toEqual(problem);
  });
});

describe('the text of an expression', () => {
  test.each([
    ['S1-5.16 begins with an expression: a text', '{{ inputs.a }}', '{{ inputs.a }}'],
    ['S1-5.16 even where it would be YAML', '{{ inputs.a }}: x', '{{ inputs.a }}: x'],
    ['S1-5.17 a number', '12', 12],
    ['S1-5.17 a list', '- a\n- b', ['a', 'b']],
    ['S1-5.17 a map', 'a: {b: 1}', { a: { b: 1 } }],
    ['S1-5.17 a text', 'hello {{ name }}', 'hello {{ name }}'],
    ['nothing', '  ', undefined],
  ])('%s', (_, written, value) => {
    expect(readExpressionText(written)).toEqual({ value });
  });

  test('what cannot be read says why', () => {
    expect(readExpressionText('a: [')).toHaveProperty('problem');
    expect(readExpressionText('a: 1\na: 2')).toHaveProperty('problem');
  });

  test.each([['12'], ['true'], ['a: b'], ['{{ x }}'], [' led'], [{ a: ['b'] }], [[1, '1']], [false]])(
    'shows %j so that it is read as itself',
    (value) => {
      expect(readExpressionText(showExpressionText(value))).toEqual({ value });
    },
  );
});

describe('one of several shapes', () => {
  const branches = [{ type: 'string' }, { type: 'array', items: { type: 'string' } }, { type: 'object' }];

  test.each([
    ['x', 0],
    [['x'], 1],
    [{ a: 1 }, 2],
    [undefined, -1],
  ])('%j is found', (value, index) => {
    expect(branchOf(branches, value)).toBe(index);
  });

  test.each([
    ['a text to a list', 1, 'one', ['one']],
    ['a written list to a list', 1, '[a, b]', ['a', 'b']],
    ['a list of one to a text', 0, ['one'], 'one'],
    ['a map to a text', 0, { a: 1 }, 'a: 1'],
    ['a text to a map', 2, 'a: 1', { a: 1 }],
  ])('%s', (_, index, value, carried) => {
    expect(toBranch(branches[index]!, value)).toEqual(carried);
  });
});

describe('new things', () => {
  test('S1-1.15 begin with what their type gives them', () => {
    expect(newElement(taskSchema('core.flow.ForEach'), 'core.flow.ForEach', new Set())).toEqual({
      id: 'for_each',
      type: 'core.flow.ForEach',
    });
    expect(freeId('core.log.Log', new Set(['log', 'log_2']))).toBe('log_3');
  });

  test('another type keeps the name and what both types know', () => {
    const element = { id: 'a', type: 'core.log.Log', message: 'x', timeout: 'PT1M' };
    expect(withType(taskSchema('core.debug.Return'), element, 'core.debug.Return')).toEqual({
      id: 'a',
      type: 'core.debug.Return',
      timeout: 'PT1M',
    });
  });

  test('a copy has new ids, inside too', () => {
    const taken = new Set(['a', 'b']);
    expect(copyOf({ id: 'a', tasks: [{ id: 'b', v: 1 }] }, taken)).toEqual({
      id: 'a_2',
      tasks: [{ id: 'b_2', v: 1 }],
    });
  });
});

import { Decimal } from '@millrace/expression';
import { choice, defineTask, listOf, mapOf, part, TaskFailed, text, toIonText } from '@millrace/plugin-kit';
import { z } from 'zod';
import {
  asDecimal,
  type CastType,
  cast,
  castTypes,
  compare,
  divide,
  evaluate,
  fieldsOf,
  plainNumber,
  type Scope,
  WrongRecord,
} from '../language/evaluate.ts';
import { type Node, parseExpression } from '../language/parse.ts';
import { Counters, metricsOf } from './counters.ts';
import { failedRecord } from './fields.ts';
import { fromProperty, giveRecords, openRecords, outputProperties, recordsOutput } from './recordFiles.ts';

const aggregateProperty = () =>
  z.union([
    text(),
    part({
      expr: text().describe('The expression, for example `sum(price * quantity)`.'),
      type: choice(castTypes).optional().describe('The type that the value is turned into.'),
    }),
  ]);

export const aggregateRecords = defineTask({
  type: 'transform.Aggregate',
  title: 'Group records and compute over the groups',
  description:
    'Groups records by the values of fields and computes `count()`, `sum(x)`, `avg(x)`, `min(x)`, `max(x)`, `first(x)` and `last(x)` for each group; `x` is any expression over a record. Groups come in the order in which they were first seen. They are kept in memory, the records are not.',
  input: () =>
    z.object({
      from: fromProperty(),
      groupBy: listOf(text()).describe(
        'The paths of the fields to group by; each is a field of the result under this very name.',
      ),
      aggregates: mapOf(aggregateProperty()).describe(
        'The fields to compute: an expression each, or a map with `expr` and `type`.',
      ),
      onError: choice(['FAIL', 'SKIP', 'NULL'])
        .default('FAIL')
        .describe(
          'What to do when a record cannot be evaluated: fail, leave it out, or count its value as null.',
        ),
      ...outputProperties(),
    }),
  output: recordsOutput,
  metrics: metricsOf('processed', 'groups', 'dropped', 'failed'),
  sideEffects: true,
  examples: [
    {
      title: 'Revenue by country.',
      runs: true,
      code: `id: revenue
namespace: company.team

tasks:
  - id: by_country
    type: transform.Aggregate
    from:
      - {country: FR, amount: 10.5}
      - {country: FR, amount: 5}
      - {country: DE, amount: 7}
    groupBy: [country]
    aggregates:
      orders: count()
      revenue:
        expr: sum(amount)
        type: DECIMAL
`,
    },
  ],
  async run(context, input) {
    const keys = input.groupBy.map((path) => ({ name: path, node: parseExpression(path) }));
    const fields = Object.entries(input.aggregates).map(([name, written]) =>
      typeof written === 'string'
        ? compileAggregate(name, written, undefined)
        : compileAggregate(name, written.expr, written.type),
    );
    const groups = new Map<string, { keys: unknown[]; states: State[][] }>();
    const counters = new Counters();
    const source = openRecords(context, input.from);
    for await (const record of source.records) {
      counters.add('processed');
      try {
        addRecord(fieldsOf(record));
      } catch (error) {
        if (!(error instanceof WrongRecord)) throw error;
        counters.add('failed');
        if (input.onError === 'FAIL') throw failedRecord(counters.get('processed'), error);
        counters.add('dropped');
      }
    }

    function addRecord(scope: Scope): void {
      const values = keys.map(({ node }) => evaluate(node, scope));
      // All arguments are evaluated before any is counted, so that a record counts completely or not at all.
      const inputs = fields.map(({ calls }) => calls.map((call) => argumentOf(call, scope)));
      const id = values.map(toIonText).join('\n');
      const group = groups.get(id) ?? {
        keys: values,
        states: fields.map(({ calls }) => calls.map(({ name }) => new State(name))),
      };
      groups.set(id, group);
      for (const [field, states] of group.states.entries())
        for (const [call, state] of states.entries()) state.add(inputs[field]?.[call]);
    }

    function argumentOf({ args: [argument] }: Call, scope: Scope): unknown {
      if (!argument) return true;
      try {
        return evaluate(argument, scope);
      } catch (error) {
        if (!(error instanceof WrongRecord) || input.onError !== 'NULL') throw error;
        counters.add('failed');
        return null;
      }
    }

    async function* records(): AsyncGenerator<unknown> {
      for (const group of groups.values()) {
        const made = fields.map(
          (field, index) => [field.name, finish(field, group.states[index] ?? [])] as const,
        );
        yield Object.fromEntries([
          ...keys.map(({ name }, index) => [name, group.keys[index]] as const),
          ...made,
        ]);
      }
    }
    const output = await giveRecords(context, input.outputType, source.isFile, records());
    context.metric({ name: 'groups', type: 'counter', value: groups.size });
    counters.report(context, 'processed', 'dropped', 'failed');
    return output;
  },
});

type Call = Extract<Node, { kind: 'call' }>;

interface CompiledAggregate {
  readonly name: string;
  readonly node: Node;
  readonly type: CastType | undefined;
  readonly calls: readonly Call[];
}

const aggregateNames = new Set(['count', 'sum', 'avg', 'min', 'max', 'first', 'last']);

function compileAggregate(name: string, expr: string, type: CastType | undefined): CompiledAggregate {
  const node = parseExpression(expr);
  const calls: Call[] = [];
  collect(node);
  if (calls.length === 0)
    throw new TaskFailed(
      `The aggregate "${name}" must use one of ${[...aggregateNames].join(', ')}, got "${expr}".`,
      { retry: false },
    );
  return { name, node, type, calls };

  function collect(inner: Node): void {
    if (inner.kind === 'call' && aggregateNames.has(inner.name)) calls.push(inner);
    else if (inner.kind === 'call') inner.args.forEach(collect);
    else if (inner.kind === 'unary') collect(inner.operand);
    else if (inner.kind === 'binary') [inner.left, inner.right].forEach(collect);
  }
}

function finish({ name, node, type, calls }: CompiledAggregate, states: readonly State[]): unknown {
  const replace = (inner: Node) => {
    const state = states[calls.indexOf(inner as Call)]; // other nodes are simply not found
    return state && { value: state.result() };
  };
  try {
    const value = evaluate(node, () => null, replace);
    return type && value !== null ? cast(value, type) : value;
  } catch (error) {
    if (!(error instanceof WrongRecord)) throw error;
    throw new TaskFailed(`The aggregate "${name}" cannot be computed: ${error.message}.`, { retry: false });
  }
}

/** The accumulator of one aggregate call in one group. Nulls do not count. */
class State {
  readonly #name: string;
  #count = 0;
  #sum = new Decimal(0n, 0);
  /** The smallest, largest, first or last value. */
  #chosen: unknown = null;

  constructor(name: string) {
    this.#name = name;
  }

  add(value: unknown): void {
    for (const item of Array.isArray(value) ? value.flat(8) : [value])
      if (item !== null && item !== undefined) this.#addOne(item);
  }

  #addOne(value: unknown): void {
    if (this.#name === 'sum' || this.#name === 'avg') this.#sum = this.#sum.add(asDecimal(value));
    else if (this.#isBetter(value)) this.#chosen = value;
    this.#count++;
  }

  #isBetter(value: unknown): boolean {
    if (this.#count === 0 || this.#name === 'last') return true;
    if (this.#name === 'min') return compare(value, this.#chosen) < 0;
    return this.#name === 'max' && compare(value, this.#chosen) > 0;
  }

  result(): unknown {
    if (this.#name === 'count') return this.#count;
    if (this.#count === 0) return null;
    if (this.#name === 'sum') return plainNumber(this.#sum);
    return this.#name === 'avg' ? divide(this.#sum, new Decimal(BigInt(this.#count), 0)) : this.#chosen;
  }
}

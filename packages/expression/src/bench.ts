import type { Host } from './host.ts';
import { render } from './render.ts';

/** Renders per second on one core, for the typical templates of flows. */
export interface ExpressionBench {
  readonly literalPerSecond: number;
  readonly simplePerSecond: number;
  readonly mixedPerSecond: number;
}

const variables = {
  outputs: { extract: { value: 42, rows: [{ id: 1 }, { id: 2 }], uri: 'millrace:///a/b' } },
  inputs: { name: 'Ann', flag: true, count: 3 },
  flow: { id: 'daily', namespace: 'company.team' },
  execution: { id: '5Tz1cKzpKdOVYYTZ1AvGCJ', startDate: '2024-05-06T07:08:09.123Z' },
};
const host: Host = { now: () => 0, random: () => 0, id: () => '' };

const literal = 'SELECT * FROM orders WHERE day = current_date';
const simple = '{{ outputs.extract.value }}';
const mixed =
  "{{ flow.namespace }}.{{ flow.id }}: {{ inputs.name | upper }} has {{ inputs.count + 1 }} of {{ outputs.extract.rows | length }}, {{ inputs.flag ? 'on' : 'off' }}";

/** `benchExpressions(() => performance.now())`: the clock is the caller's, in milliseconds. */
export function benchExpressions(clock: () => number): ExpressionBench {
  return {
    literalPerSecond: measure(literal, clock),
    simplePerSecond: measure(simple, clock),
    mixedPerSecond: measure(mixed, clock),
  };
}

/** The best of five rounds, because other processes slow down the rest. */
function measure(source: string, clock: () => number): number {
  const batch = 5_000;
  let best = 0;
  for (let round = 0; round < 5; round++) {
    let count = 0;
    const start = clock();
    let elapsed = 0;
    // Adding up the lengths keeps the renders from being optimised away.
    let length = 0;
    while (elapsed < 100) {
      for (let index = 0; index < batch; index++) length += String(render(source, variables, host)).length;
      count += batch;
      elapsed = clock() - start;
    }
    if (length > 0) best = Math.max(best, (count / elapsed) * 1000);
  }
  return Math.round(best);
}

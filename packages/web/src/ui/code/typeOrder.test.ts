import { expect, it } from 'vitest';
import { compareTypes, type RankedEntry } from './typeOrder.ts';

/** An entry whose label has the typed letters together at their last occurrence, or one by one. */
function entry(textLabel: string, typed: string, place?: number): RankedEntry {
  const low = textLabel.toLowerCase();
  const at = low.lastIndexOf(typed);
  let from = -1;
  const places = [...typed].map((letter, index) => {
    from = low.indexOf(letter, from + 1);
    return at >= 0 ? at + index : from;
  });
  const sortText = place === undefined ? `1${textLabel}` : `0${String(place).padStart(3, '0')}${textLabel}`;
  return { textLabel, score: [0, 0, ...places.reverse()], completion: { sortText } };
}

const order = (typed: string, ...labels: readonly (string | readonly [string, number])[]): string[] =>
  labels
    .map((one) => (typeof one === 'string' ? entry(one, typed) : entry(one[0], typed, one[1])))
    .toSorted(compareTypes)
    .map(({ textLabel }) => textLabel);

it.each<[string, (string | readonly [string, number])[], string[]]>([
  [
    'query',
    ['odoo.Query', ['jdbc.postgresql.Query', 1], 'influxdb.QueryAll'],
    ['jdbc.postgresql.Query', 'odoo.Query', 'influxdb.QueryAll'],
  ],
  ['if', ['influxdb.Load', ['core.flow.If', 0]], ['core.flow.If', 'influxdb.Load']],
  [
    'python',
    ['spark.PythonSubmit', 'graalvm.python.Eval', ['scripts.python.Script', 2]],
    ['scripts.python.Script', 'graalvm.python.Eval', 'spark.PythonSubmit'],
  ],
  // Letters that are scattered over a usual name do not count.
  ['send', [['scripts.shell.Commands', 0], 'email.MailSend'], ['email.MailSend', 'scripts.shell.Commands']],
  // Properties keep their order.
  ['me', ['message', ['method', 1]], ['message', 'method']],
])('%s: %j', (typed, labels, expected) => expect(order(typed, ...labels)).toEqual(expected));

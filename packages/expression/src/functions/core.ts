import type { Context } from '../context.ts';
import type { Fns } from '../definition.ts';
import { nameOf, requireText } from '../definition.ts';
import { ExpressionError } from '../error.ts';
import { compareNumbers } from '../numbers/arithmetic.ts';
import { isNumeric, type Numeric } from '../numbers/number.ts';
import { mapTexts } from '../values/mapTexts.ts';
import { parseJson } from '../values/parseJson.ts';
import { rangeOf } from './range.ts';

/** Functions of the language itself. */
export const coreFunctions: Fns = {
  range: {
    names: ['start', 'end', 'increment'],
    required: 2,
    run: ([start, end, increment], { session }) => rangeOf(start, end, increment ?? 1, session),
  },
  max: { names: [], variadic: true, run: (args) => extreme(args, 'max', 1) },
  min: { names: [], variadic: true, run: (args) => extreme(args, 'min', -1) },
  fromJson: { names: ['json'], required: 1, run: ([json]) => readJson(json) },
  json: { names: ['json'], required: 1, run: ([json]) => readJson(json) },
  render: {
    names: ['toRender', 'recursive'],
    required: 1,
    run: ([value, recursive], context) => renderAgain(value, recursive !== false, 'render', context),
  },
  renderOnce: {
    names: ['toRender'],
    required: 1,
    run: ([value], context) => renderAgain(value, false, 'renderOnce', context),
  },
  printContext: { names: [], run: (_, context) => context.allVariables() },
  fetchContext: { names: [], run: (_, context) => context.allVariables() },
  block: {
    names: ['name'],
    required: 1,
    run: ([name], context) => {
      const block = context.template.blocks.get(requireText(name, 'The name of the block'));
      return block ? context.nest(() => context.capture(block)) : '';
    },
  },
  // Without inheritance there is never a parent block to print.
  parent: { names: [], run: () => '' },
};

function extreme(args: readonly unknown[], name: string, direction: 1 | -1): Numeric | null {
  let best: Numeric | null = null;
  for (const value of args) {
    if (value === null && best === null) continue;
    if (!isNumeric(value)) throw new ExpressionError(`${name} needs numbers, found ${nameOf(value)}`);
    if (best === null || direction * compareNumbers(value, best) > 0) best = value;
  }
  return best;
}

function readJson(json: unknown): unknown {
  if (json === null) return null;
  return parseJson(requireText(json, 'The argument of fromJson'));
}

function renderAgain(value: unknown, recursive: boolean, name: string, context: Context): unknown {
  if (context.session.isRecursive) {
    throw new ExpressionError(`Function or Macro [${name}] does not exist.`, 'unknown');
  }
  return mapTexts(value ?? null, context.session, (text) => context.renderText(text, context, recursive));
}

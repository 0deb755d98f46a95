import { describe, expect, test } from 'vitest';
import { accessCases } from './cases/access.ts';
import { bareHost, type Case, variablesOf } from './cases/case.ts';
import { datesCases } from './cases/dates.ts';
import { filterRuleCases } from './cases/filterRules.ts';
import { filtersCases } from './cases/filters.ts';
import { flowsCases } from './cases/flows.ts';
import { operatorsCases } from './cases/operators.ts';
import { renderingCases } from './cases/rendering.ts';
import { ruleCases } from './cases/rules.ts';
import { tagsCases } from './cases/tags.ts';
import { usageCases } from './cases/usage.ts';
import { ExpressionError, type MissingError, render, renderTyped } from './index.ts';

const families: { readonly [family: string]: readonly Case[] } = {
  flows: flowsCases,
  operators: operatorsCases,
  access: accessCases,
  tags: tagsCases,
  filters: filtersCases,
  dates: datesCases,
  rendering: renderingCases,
  usage: usageCases,
  'the rules': ruleCases,
  'the rules of filters': filterRuleCases,
};

for (const [family, cases] of Object.entries(families)) {
  describe(`expressions: ${family}`, () => {
    test.each(cases.map((each) => [JSON.stringify(each[0]), ...each] as const))(
      '%s',
      (_, template, given, expected) => {
        const variables = variablesOf(given);
        if (typeof expected === 'string') {
          expect(render(template, variables, bareHost)).toBe(expected);
        } else if ('typed' in expected) {
          expect(renderTyped(template, variables, bareHost)).toEqual(expected.typed);
        } else if ('recursive' in expected) {
          expect(render(template, variables, bareHost, { recursive: true })).toBe(expected.recursive);
        } else {
          const error = failureOf(() => render(template, variables, bareHost));
          if ('missing' in expected) expect((error as MissingError).attribute).toBe(expected.missing);
          else expect(error.kind).toBe(expected.fails);
        }
      },
    );
  });
}

function failureOf(work: () => unknown): ExpressionError {
  try {
    work();
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  throw new Error('It did not fail');
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inRoot } from '../setup/root.mjs';

const source = inRoot('packages', 'web', 'src');
const sheets = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.css'))
  .map((name) => ({ name, text: readFileSync(join(source, name), 'utf8') }));

/** The innermost rules of a style sheet. */
const rulesOf = (text: string) =>
  [...text.matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, selector = '', body = '']) => ({
    selector: selector.split('*/').at(-1)?.trim() ?? '',
    body,
  }));

const endless = sheets.flatMap(({ name, text }) =>
  rulesOf(text).flatMap(({ selector, body }) => {
    const [rule, frames] = /animation: (\S+) .*infinite/.exec(body) ?? [];
    return rule === undefined ? [] : [{ name, text, selector, rule, frames }];
  }),
);

it.each(endless)('$rule in $name does not repaint with every frame', ({ text, rule, frames }) => {
  // The compositor moves and fades without painting. Anything else is painted again at each of its steps.
  const [, body = ''] = new RegExp(`@keyframes ${frames} \\{([\\s\\S]*?)\\n\\}`).exec(text) ?? [];
  const changed = [...body.matchAll(/^\s+([\w-]+):/gm)].map(([, property]) => property);
  const isComposited = changed.length > 0 && changed.every((one) => one === 'transform' || one === 'opacity');
  expect(isComposited || rule.includes('steps(')).toBe(true);
});

it.each(endless)('$rule in $name stops when the user asks for reduced motion', ({ text, selector }) => {
  const reduced = text.slice(text.indexOf('prefers-reduced-motion'));
  const stopped = rulesOf(reduced).filter(({ body }) => body.includes('animation: none'));
  expect(stopped.map((rule) => rule.selector)).toContain(selector);
});

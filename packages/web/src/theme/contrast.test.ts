import { logLevels, stateTypes } from '@millrace/contract';
import { describe, expect, it } from 'vitest';
import tokens from './tokens.css?raw';

type Tokens = ReadonlyMap<string, string>;

const light = readTokens(':root');
const dark = new Map([...light, ...readTokens('[data-mantine-color-scheme="dark"]')]);
const schemes = [
  ['light', light],
  ['dark', dark],
] as const;

describe.each(schemes)('%s scheme', (_, scheme) => {
  it.each(stateTypes)(
    'S2-4.1 the word of state %s reads at 4.5:1 on its tint and on every surface',
    (state) => {
      const text = colour(scheme, `--mr-state-${state.toLowerCase()}-text`);
      for (const ground of [
        `--mr-state-${state.toLowerCase()}-tint`,
        '--mr-page',
        '--mr-surface',
        '--mr-surface-2',
      ])
        expect(contrast(text, colour(scheme, ground)), ground).toBeGreaterThanOrEqual(4.5);
    },
  );

  it.each(stateTypes)('the solid of state %s stands out from the surface', (state) => {
    const solid = colour(scheme, `--mr-state-${state.toLowerCase()}-solid`);
    expect(contrast(solid, colour(scheme, '--mr-surface'))).toBeGreaterThanOrEqual(2);
  });

  it.each(logLevels)('log level %s reads at 4.5:1 on the surfaces', (level) => {
    const text = colour(scheme, `--mr-log-${level.toLowerCase()}-text`);
    for (const ground of ['--mr-page', '--mr-surface', `--mr-log-${level.toLowerCase()}-tint`])
      expect(contrast(text, colour(scheme, ground)), ground).toBeGreaterThanOrEqual(4.5);
  });

  it.each(['--mr-page', '--mr-surface', '--mr-surface-2'])('an empty checkbox is seen on %s', (ground) => {
    const line = colour(scheme, '--mr-control-line');
    expect(contrast(line, colour(scheme, ground))).toBeGreaterThanOrEqual(3);
  });

  it.each([
    ['--mr-text', '--mr-page'],
    ['--mr-text', '--mr-surface-2'],
    ['--mr-text-muted', '--mr-page'],
    ['--mr-text-muted', '--mr-surface'],
    ['--mr-text-muted', '--mr-surface-2'],
    ['--mr-brand', '--mr-surface'],
    ['--mr-brand', '--mr-page'],
    ['--mr-brand', '--mr-brand-tint'],
    ['--mr-on-brand', '--mr-brand'],
    ['--mr-on-brand', '--mr-brand-hover'],
    ['--mr-on-danger', '--mr-danger'],
    ['--mr-danger', '--mr-surface'],
    ['--mr-accent', '--mr-accent-tint'],
    ['--mr-accent', '--mr-surface'],
  ])('%s reads on %s', (text, ground) => {
    expect(contrast(colour(scheme, text), colour(scheme, ground))).toBeGreaterThanOrEqual(4.5);
  });
});

function readTokens(selector: string): Tokens {
  const found = new Map<string, string>();
  for (const block of tokens.split('}')) {
    const [head = '', body = ''] = block.split('{');
    if (!head.trim().endsWith(selector)) continue;
    for (const [, name, value] of body.matchAll(/(--mr-[\w-]+):\s*([^;]+);/g))
      if (name && value) found.set(name, value.trim());
  }
  return found;
}

function colour(scheme: Tokens, name: string): string {
  const value = scheme.get(name);
  if (value === undefined) throw new Error(`The token ${name} is missing from tokens.css.`);
  const alias = /^var\((--mr-[\w-]+)\)$/.exec(value)?.[1];
  return alias ? colour(scheme, alias) : value;
}

/** Contrast ratio as WCAG 2 defines it, from 1 to 21. */
function contrast(a: string, b: string): number {
  const [bright, dim] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (bright + 0.05) / (dim + 0.05);
}

function luminance(hex: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  const [r, g, b] = channels.map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)) as [
    number,
    number,
    number,
  ];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

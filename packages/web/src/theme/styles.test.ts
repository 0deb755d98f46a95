import { expect, it } from 'vitest';
import styles from './styles.ts?raw';

const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.{ts,tsx}', '!../testing/**'], {
  eager: true,
  query: '?raw',
  import: 'default',
});
const sheets = import.meta.glob('../../../../node_modules/@mantine/core/styles/*.layer.css', {
  exhaustive: true,
});

it('every component of Mantine that the app uses has its style sheet: without it a progress bar has no height', () => {
  const named = new Set(Object.keys(sheets).map((path) => /(\w+)\.layer\.css$/.exec(path)?.[1]));
  expect(named.size).toBeGreaterThan(50);
  const used = Object.values(sources)
    .flatMap((source) => [...source.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)])
    .flatMap(([, names]) => (names ?? '').split(','))
    .map((name) => name.trim());
  const unstyled = new Set(used.filter((name) => named.has(name) && !styles.includes(`/${name}.layer.css`)));
  expect([...unstyled]).toEqual([]);
});

import { readdirSync } from 'node:fs';
import { configDefaults, defineConfig } from 'vitest/config';

/** `npm run test:connectors` runs the tests that need tools of other registries; all other runs leave them out. */
const isLive = process.env.MILLRACE_TEST_CONNECTORS === 'true';

/**
 * `npm test` runs everything that needs no page as one project: each of fifty projects would transform the same packages
 * again and load them in new workers.
 */
const isWhole = process.env.MILLRACE_TEST_WHOLE === 'true';

/**
 * One project per room, so that `npx vitest run --project engine` tests that room alone. Files share their modules:
 * tests keep no state in them, and loading everything again for each file took half of the time.
 */
const room = (name: string, root: string, include: readonly string[]) => ({
  extends: true as const,
  test: {
    name,
    root,
    include: include.map((folder) => `${folder}/**/*${isLive ? '.live' : ''}.test.ts`),
    exclude: [...configDefaults.exclude, ...(isLive ? [] : ['**/*.live.test.ts'])],
    isolate: false,
    // As in the tests of the web app: few short-lived objects are copied.
    execArgv: ['--max-semi-space-size=64'],
  },
});

const packages = ['contract', 'expression', 'engine', 'store', 'plugin-kit', 'server'];

const rooms = () =>
  isWhole
    ? [room('node', '.', [`packages/{${packages}}/src`, 'plugins/*/src', 'scripts', 'bench'])]
    : [
        ...packages.map((name) => room(name, `packages/${name}`, ['src'])),
        ...readdirSync(`${import.meta.dirname}/plugins`).map((family) =>
          room(`plugin-${family}`, `plugins/${family}`, ['src']),
        ),
        room('house', '.', ['scripts', 'bench']),
      ];

export default defineConfig({
  test: {
    projects: [
      ...rooms(),
      'packages/web/vitest.config.ts',
      'packages/web/vitest.logic.config.ts',
      {
        extends: true,
        test: {
          name: 'e2e',
          root: 'e2e',
          include: ['**/*.test.ts'],
          globalSetup: 'globalSetup.ts',
          isolate: false,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
    globalSetup: [
      `${import.meta.dirname}/packages/store/src/suite/globalSetup.ts`,
      `${import.meta.dirname}/scripts/test/storeThreads.mjs`,
    ],
    // Limits end a test that hangs; they measure nothing. A host that is shared takes two thirds of its cores at times.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});

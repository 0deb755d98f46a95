import { readdirSync } from 'node:fs';
import { configDefaults, defineConfig } from 'vitest/config';

/** `npm run test:connectors` runs the tests that need tools of other registries; all other runs leave them out. */
const isLive = process.env.MILLRACE_TEST_CONNECTORS === 'true';

/** `npm test` runs all families as one project: each of forty projects would transform and load the same packages again. */
const isWhole = process.env.MILLRACE_TEST_WHOLE === 'true';

/** These load the server or every family. `npm test` runs them with the tests that have loaded the same modules. */
const withServer = 'bench/**/*.test.ts';
const withFamilies = 'scripts/content/**/*.test.ts';

/**
 * One project per room, so that `npx vitest run --project engine` tests that room alone. Files share their modules:
 * tests keep no state in them, and loading everything again for each file took half of the time.
 */
const room = (name: string, root = `packages/${name}`, sources = 'src', more: string[] = []) => ({
  extends: true as const,
  test: {
    name,
    root,
    include: [`${sources}/**/*${isLive ? '.live' : ''}.test.ts`, ...more],
    exclude: [...configDefaults.exclude, ...(isLive ? [] : ['**/*.live.test.ts'])],
    isolate: false,
  },
});

const plugins = () =>
  isWhole
    ? [room('plugins', 'plugins', '*/src', [`../${withFamilies}`])]
    : readdirSync(`${import.meta.dirname}/plugins`).map((family) =>
        room(`plugin-${family}`, `plugins/${family}`),
      );

export default defineConfig({
  test: {
    projects: [
      room('contract'),
      room('expression'),
      room('engine'),
      room('store'),
      room('plugin-kit'),
      ...plugins(),
      room('server', 'packages/server', 'src', isWhole ? [`../../${withServer}`] : []),
      'packages/web/vitest.config.ts',
      'packages/web/vitest.logic.config.ts',
      {
        extends: true,
        test: {
          name: 'house',
          include: ['{scripts,bench}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...(isWhole ? [withServer, withFamilies] : [])],
          isolate: false,
        },
      },
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

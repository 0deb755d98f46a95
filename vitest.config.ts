import { defineConfig } from 'vitest/config';

/** One project per room, so that `npx vitest run --project engine` tests that room alone. */
const room = (name: string) => ({
  extends: true as const,
  test: { name, root: `packages/${name}`, include: ['src/**/*.test.ts'] },
});

export default defineConfig({
  test: {
    projects: [
      room('contract'),
      room('engine'),
      room('store'),
      room('plugins'),
      room('server'),
      'packages/web/vitest.config.ts',
      { extends: true, test: { name: 'house', root: 'scripts', include: ['**/*.test.ts'] } },
    ],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});

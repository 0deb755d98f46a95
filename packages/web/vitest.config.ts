import { defineConfig, mergeConfig } from 'vitest/config';
import { testDoubles } from './testing/testDoubles.ts';
import viteConfig from './vite.config.ts';

export default mergeConfig(
  viteConfig,
  defineConfig({
    plugins: [testDoubles()],
    test: {
      // Files share their modules: loading the whole app again for each file took most of the time.
      isolate: false,
      name: 'web',
      environment: 'jsdom',
      include: ['{src,gallery}/**/*.test.{ts,tsx}'],
      setupFiles: ['src/testing/setup.ts'],
      globalSetup: ['testing/provideFlowSchema.ts'],
      css: { include: [/tokens\.css/] },
      testTimeout: 240_000,
      // Clearing up waits for parts that load lazily, and the editor is large.
      hookTimeout: 120_000,
    },
  }),
);

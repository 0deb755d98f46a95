import type { TestProjectInlineConfiguration } from 'vitest/config';
import { mergeConfig } from 'vitest/config';
import viteConfig from '../vite.config.ts';
import { testDoubles } from './testDoubles.ts';

/** What the two kinds of tests share: `.test.tsx` has a page of jsdom, which takes longer than most of `.test.ts`. */
export const testConfig = (test: TestProjectInlineConfiguration['test']) =>
  mergeConfig(viteConfig, {
    plugins: [testDoubles()],
    test: {
      // Files share their modules: loading the whole app again for each file took most of the time.
      isolate: false,
      // Most objects of a test are short-lived: with a large young generation few of them are copied, which saves a
      // twentieth of the processor time.
      execArgv: ['--max-semi-space-size=64'],
      globalSetup: ['testing/provideFlowSchema.ts'],
      css: { include: [/tokens\.css/] },
      testTimeout: 240_000,
      // Clearing up waits for parts that load lazily, and the editor is large.
      hookTimeout: 120_000,
      ...test,
    },
  });

import { testConfig } from './testing/testConfig.ts';

export default testConfig({
  name: 'web',
  environment: 'jsdom',
  include: ['{src,gallery}/**/*.test.tsx'],
  setupFiles: ['src/testing/setup.ts'],
});

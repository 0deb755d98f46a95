import { testConfig } from './testing/testConfig.ts';

export default testConfig({ name: 'web-logic', include: ['{src,gallery}/**/*.test.ts'] });

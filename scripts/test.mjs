import { refuseUnsupportedNode } from './setup/nodeVersion.mjs';

// Any installed Node version must parse this file: no syntax newer than `import()`.
refuseUnsupportedNode();
void import('./test/testAll.mjs').then((module) => module.testAll(process.argv.slice(2)));

import { refuseUnsupportedNode } from './setup/nodeVersion.mjs';

// Any installed Node version must parse this file: no syntax newer than `import()`.
refuseUnsupportedNode();
void import('./test/testConnectors.mjs').then((module) => module.testConnectors(process.argv.slice(2)));

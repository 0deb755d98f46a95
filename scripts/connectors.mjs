import { refuseOldNode } from './setup/nodeVersion.mjs';

// Any installed Node version must parse this file: no syntax newer than `import()`.
refuseOldNode();
void import('./test/testConnectors.mjs').then((module) => module.testConnectors(process.argv.slice(2)));

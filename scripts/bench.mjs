import { refuseUnsupportedNode } from './setup/nodeVersion.mjs';

// Any installed Node version must parse this file: no syntax newer than `import()`.
refuseUnsupportedNode();
void import('./setup/startBench.mjs').then((module) => module.startBench(process.argv.slice(2)));

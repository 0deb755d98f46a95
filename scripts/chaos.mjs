import { refuseUnsupportedNode } from './setup/nodeVersion.mjs';

// Any installed Node version must parse this file: no syntax newer than `import()`.
refuseUnsupportedNode();
void import('./setup/startChaos.mjs').then((module) => module.startChaos(process.argv.slice(2)));

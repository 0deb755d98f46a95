import { refuseUnsupportedNode } from './setup/nodeVersion.mjs';

// Any installed Node version must parse this file: no syntax newer than `import()`.
refuseUnsupportedNode();
void import('./dev/develop.mjs').then((module) => module.develop(process.argv.slice(2)));

#!/usr/bin/env -S node --max-semi-space-size=24
import { refuseUnsupportedNode } from './setup/nodeVersion.mjs';

// Any installed Node version must parse this file: no syntax newer than `import()`.
refuseUnsupportedNode();
void import('./setup/startProduct.mjs').then((module) => module.startProduct(process.argv.slice(2)));

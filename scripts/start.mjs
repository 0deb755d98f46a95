#!/usr/bin/env -S node --max-semi-space-size=24
import { refuseOldNode } from './setup/nodeVersion.mjs';

// Parsed by whatever Node there is: nothing newer than `import()` may stand in this file.
refuseOldNode();
void import('./setup/startProduct.mjs').then((module) => module.startProduct(process.argv.slice(2)));

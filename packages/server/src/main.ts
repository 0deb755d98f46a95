import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { useCompileCache } from './compileCache.ts';
import { leaveOutMemoryReducer } from './memoryReducer.ts';

// Before anything else is loaded. Sources are read by the tools of development, which have caches of their own.
leaveOutMemoryReducer();
const file = fileURLToPath(import.meta.url);
if (file.endsWith('.js')) useCompileCache(dirname(file));
void import('./cli/main.ts').then(({ main }) => main());

import type { Command } from '../command.ts';
import { server } from './server.ts';

/** Every verb there is. A new one is a file in this folder and a line here. */
export const commands: readonly Command[] = [server];

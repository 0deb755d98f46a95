import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { CommandFailure } from '../command.ts';
import { readPairs } from './pairs.ts';

/** The form of an execution's inputs; `NAME=@FILE` sends a file. Undefined when there is none. */
export async function inputForm(texts: readonly string[] | undefined): Promise<FormData | undefined> {
  const pairs = readPairs('input', texts);
  if (pairs.length === 0) return undefined;
  const form = new FormData();
  for (const [name, value] of pairs) {
    if (!value.startsWith('@')) form.set(name, value);
    else form.set(name, await openFile(value.slice(1)), basename(value));
  }
  return form;
}

async function openFile(path: string): Promise<Blob> {
  try {
    return await openAsBlob(path);
  } catch (cause) {
    throw new CommandFailure(`The file "${path}" of an input cannot be read.`, { cause });
  }
}

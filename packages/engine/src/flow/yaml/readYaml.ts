import { readFully } from './fullReader.ts';
import { limits } from './limits.ts';
import type { Node } from './node.ts';
import { YamlProblem } from './node.ts';
import { readQuickly } from './quickReader.ts';
import { type KeyProblem, toData } from './toData.ts';

export type YamlReading =
  | { readonly root: Node; readonly data: unknown; readonly keyProblems: readonly KeyProblem[] }
  | { readonly problem: YamlProblem };

/** Reads one YAML document. Never throws: errors of the text are part of the result. */
export function readYaml(text: string): YamlReading {
  try {
    refuse(text);
    const root = readQuickly(text) ?? readFully(text);
    const keyProblems: KeyProblem[] = [];
    return { root, data: toData(root, keyProblems), keyProblems };
  } catch (error) {
    if (error instanceof YamlProblem) return { problem: error };
    // The library throws its own errors for some malformed texts; they are errors of the text too.
    const reason = error instanceof Error ? error.message : String(error);
    return { problem: new YamlProblem(`The document cannot be read: ${reason}`, 0) };
  }
}

function refuse(text: string): void {
  if (text.length > limits.maxCharacters) {
    throw new YamlProblem(
      `The document has ${text.length} characters; at most ${limits.maxCharacters} are allowed`,
      0,
    );
  }
  const nul = text.indexOf('\0');
  if (nul !== -1) throw new YamlProblem('The document contains a NUL character', nul);
}

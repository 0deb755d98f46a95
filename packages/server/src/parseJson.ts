import { AppError } from '@millrace/contract';

const maxJsonDepth = 200;

/** The text is not JSON. */
export class InvalidJson extends Error {
  override readonly name = 'InvalidJson';
}

/** Parses JSON that nests at most 200 levels, so that no code after it recurses too deep. */
export function parseJson(text: string): unknown {
  if (depthOf(text) > maxJsonDepth) {
    throw new AppError('invalid-entity', `Invalid json: it nests deeper than ${maxJsonDepth} levels`);
  }
  try {
    // The reviver costs more than the parsing, and hardly any text needs it.
    return text.includes('__proto__') ? JSON.parse(text, dropPrototype) : JSON.parse(text);
  } catch (cause) {
    throw new InvalidJson(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function dropPrototype(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}

/** Nesting depth by counting brackets outside of strings: linear, without building anything. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isInString) {
      if (code === 0x5c) i++;
      else if (code === 0x22) isInString = false;
    } else if (code === 0x22) isInString = true;
    else if (code === 0x7b || code === 0x5b) deepest = Math.max(deepest, ++depth);
    else if (code === 0x7d || code === 0x5d) depth--;
  }
  return deepest;
}

import { AppError } from '@millrace/contract';

const pattern = /^[a-z0-9][a-z0-9._-]*$/;
const maxLength = 150;

/** Refuses invalid namespace names. Names become parts of paths, so this check comes before any use. */
export function checkNamespace(name: string): void {
  const isName = pattern.test(name) && name.length <= maxLength && !/\.(\.|$)/.test(name);
  if (isName) return;
  throw new AppError(
    'illegal-argument',
    `"${name.slice(0, maxLength)}" is not a namespace: lower-case letters, digits, ".", "-" and "_", at most ${maxLength}`,
  );
}

/** `a.b.c` → `a.b`, `a`: the nearest first. */
export function parentsOf(namespace: string): string[] {
  const parts = namespace.split('.');
  return parts.slice(1).map((_, index) => parts.slice(0, parts.length - 1 - index).join('.'));
}

import { readFileSync } from 'node:fs';

const secretName =
  /^(SECRET_.+|(MILLRACE|KESTRA)_CONFIGURATION|MILLRACE_.*(PASSWORD|SECRET_?KEY|ACCESS_KEY|DATABASE_URL).*)$/;

/** The names of secrets in the environment block of this process, where its tasks can read them. */
export function exposedSecrets(): string[] {
  let block: string;
  try {
    block = readFileSync('/proc/self/environ', 'utf8');
  } catch {
    // Only Linux has such a file.
    return [];
  }
  const names = block.split('\0').map((entry) => entry.split('=', 1)[0] ?? '');
  return names.filter((name) => secretName.test(name)).sort();
}

import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;
export type Profile = Readonly<Record<string, string | undefined>>;

/** A profile of the files that AWS tools share; keys of the credentials file win. Undefined when neither has it. */
export async function readProfile(
  env: Environment,
  name: string,
  kind: 'profile' | 'sso-session' = 'profile',
): Promise<Profile | undefined> {
  const config = await readSections(env.AWS_CONFIG_FILE ?? join(homedir(), '.aws', 'config'));
  const shared = await readSections(
    env.AWS_SHARED_CREDENTIALS_FILE ?? join(homedir(), '.aws', 'credentials'),
  );
  const isPlain = kind === 'profile';
  const configured = config.get(`${kind} ${name}`) ?? (isPlain ? config.get(name) : undefined);
  const credentials = isPlain ? shared.get(name) : undefined;
  return configured || credentials ? { ...configured, ...credentials } : undefined;
}

async function readSections(path: string): Promise<Map<string, Record<string, string>>> {
  const sections = new Map<string, Record<string, string>>();
  const text = await readFile(path, 'utf8').catch(() => '');
  let current: Record<string, string> | undefined;
  for (const line of text.split(/\r?\n/)) {
    const title = /^\s*\[\s*([^\]]+?)\s*\]/.exec(line)?.[1];
    if (title !== undefined) {
      current = {};
      sections.set(title.replace(/\s+/g, ' '), current);
      continue;
    }
    const [, key, value] = /^([\w.-]+)\s*=\s*(.*?)\s*(?:\s[#;].*)?$/.exec(line) ?? [];
    if (current && key !== undefined) current[key] = value ?? '';
  }
  return sections;
}

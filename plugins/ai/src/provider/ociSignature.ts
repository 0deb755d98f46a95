import { createHash, createSign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { messageOf, TaskFailed } from '@millrace/plugin-kit';

/** An API key of a user of Oracle Cloud. */
export interface OciKey {
  /** Tenancy, user and fingerprint. */
  readonly keyId: string;
  readonly privateKey: string;
  readonly passphrase?: string | undefined;
}

/** Reads the key of a profile in the configuration file of Oracle's tools, on the machine of the worker. */
export async function readOciKey(
  profile: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<OciKey> {
  const file = inHome(env.OCI_CONFIG_FILE ?? '~/.oci/config');
  try {
    const settings = readProfile(await readFile(file, 'utf8'), profile);
    const { tenancy, user, fingerprint, key_file: keyFile, pass_phrase: passphrase } = settings;
    if (!tenancy || !user || !fingerprint || !keyFile)
      throw new Error(`Profile "${profile}" needs tenancy, user, fingerprint and key_file.`);
    const privateKey = await readFile(resolve(dirname(file), inHome(keyFile)), 'utf8');
    return { keyId: `${tenancy}/${user}/${fingerprint}`, privateKey, passphrase };
  } catch (error) {
    // The message must not name the path of a file of the server.
    const why = error instanceof Error && 'code' in error ? 'A file is missing.' : messageOf(error);
    throw new TaskFailed(
      `The worker has no configuration file of Oracle Cloud with an API key (OCI_CONFIG_FILE, or .oci/config in the home folder): ${why}`,
      { retry: false },
    );
  }
}

const inHome = (path: string): string => (path.startsWith('~/') ? join(homedir(), path.slice(2)) : path);

/** The settings of a profile; those of DEFAULT hold for all profiles. */
function readProfile(text: string, wanted: string): Record<string, string> {
  const found: Record<string, string> = {};
  let section = '';
  let isThere = false;
  for (const line of text.split(/\r?\n/)) {
    const heading = /^\s*\[(.+)\]\s*$/.exec(line)?.[1];
    if (heading !== undefined) {
      section = heading;
      isThere ||= section === wanted;
      continue;
    }
    const [, name, value] = /^\s*([^#;=\s]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    const isOwn = section === wanted;
    if (name === undefined || value === undefined || !(isOwn || section === 'DEFAULT')) continue;
    if (isOwn || !(name in found)) found[name] = value;
  }
  if (!isThere) throw new Error(`The file has no profile "${wanted}".`);
  return found;
}

/** The headers of a signed POST, after the draft of HTTP signatures that Oracle Cloud uses. */
export function signOciPost(url: string, body: string, key: OciKey, now: Date): Record<string, string> {
  const { host, pathname, search } = new URL(url);
  const values: Readonly<Record<string, string>> = {
    'x-date': now.toUTCString(),
    '(request-target)': `post ${pathname}${search}`,
    host,
    'content-length': String(Buffer.byteLength(body)),
    'content-type': 'application/json',
    'x-content-sha256': createHash('sha256').update(body).digest('base64'),
  };
  const text = Object.entries(values).map(([name, value]) => `${name}: ${value}`);
  const pem = { key: key.privateKey, ...(key.passphrase && { passphrase: key.passphrase }) };
  const signature = createSign('RSA-SHA256').update(text.join('\n')).sign(pem, 'base64');
  const names = Object.keys(values).join(' ');
  return {
    'x-date': values['x-date'] ?? '',
    'content-type': 'application/json',
    'x-content-sha256': values['x-content-sha256'] ?? '',
    authorization: `Signature version="1",keyId="${key.keyId}",algorithm="rsa-sha256",headers="${names}",signature="${signature}"`,
  };
}

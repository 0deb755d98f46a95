import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificates {
  readonly ca: string;
  readonly server: { readonly cert: string; readonly key: string };
  readonly client: { readonly cert: string; readonly key: string };
}

/** An authority, and certificates for a server on localhost and for a client that it signed. */
export function makeCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-cluster-'));
  const at = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const read = (name: string) => readFileSync(at(name), 'utf8');
  try {
    openssl(
      'req',
      '-x509',
      ...newKey,
      '-days',
      '2',
      '-subj',
      '/CN=test authority',
      '-keyout',
      at('ca.key'),
      '-out',
      at('ca.pem'),
    );
    const sign = (name: string, subject: string) => {
      writeFileSync(at('extensions'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
      openssl('req', ...newKey, '-subj', subject, '-keyout', at(`${name}.key`), '-out', at(`${name}.csr`));
      const authority = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial'];
      openssl(
        'x509',
        '-req',
        '-in',
        at(`${name}.csr`),
        ...authority,
        '-days',
        '2',
        '-extfile',
        at('extensions'),
        '-out',
        at(`${name}.pem`),
      );
      return { cert: read(`${name}.pem`), key: read(`${name}.key`) };
    };
    return {
      ca: read('ca.pem'),
      server: sign('server', '/CN=localhost'),
      client: sign('client', '/CN=robot'),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTls, type TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';
import { ZipFile } from 'yazl';

const serverId = '0c3a1cd6-7a2e-4a2c-9a43-1a2b3c4d5e6f';

/**
 * The two services of Astra DB in front of a server: the metadata service, and the proxy that forwards to the server
 * that a TLS handshake names. Both accept only clients with the certificate of the bundle.
 */
export async function anAstraService(target: { readonly host: string; readonly port: number }) {
  const { ca, cert, key } = makeCertificates();
  const options = { ca, cert, key, requestCert: true, rejectUnauthorized: true };
  const proxy = createTls(options, (socket: TLSSocket & { readonly servername?: string }) => {
    socket.on('error', () => {});
    if (socket.servername !== serverId) return void socket.destroy();
    const far = connect(target);
    far.on('error', () => socket.destroy());
    socket.pipe(far);
    far.pipe(socket);
    socket.once('close', () => far.destroy());
  });
  const proxyPort = await listen(proxy);
  const metadata = createHttps(options, (_, response) => {
    const contact = {
      type: 'sni_proxy',
      local_dc: 'datacenter1',
      sni_proxy_address: `localhost:${proxyPort}`,
      contact_points: [serverId],
    };
    response.end(JSON.stringify({ version: 1, contact_info: contact }));
  });
  const port = await listen(metadata);
  return {
    bundle: await makeZip({
      'config.json': JSON.stringify({ host: 'localhost', port }),
      'ca.crt': ca,
      cert,
      key,
    }),
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port; // a server that listens on a port has such an address
}

/** A certificate for "localhost" that is its own authority. */
function makeCertificates() {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-astra-'));
  try {
    const [keyFile, certFile] = [join(folder, 'key'), join(folder, 'cert')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const files = ['-keyout', keyFile, '-out', certFile];
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files],
      { stdio: 'ignore' },
    );
    const [key, cert] = [readFileSync(keyFile, 'utf8'), readFileSync(certFile, 'utf8')];
    return { ca: cert, cert, key };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The files as the base64 of a ZIP file. */
export async function makeZip(files: Readonly<Record<string, string>>): Promise<string> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('base64');
}

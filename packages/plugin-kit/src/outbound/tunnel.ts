import { request as httpRequest } from 'node:http';
import type { LookupFunction, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { OutboundProxy, OutboundRequest } from '../context.ts';
import { checkUrl, hostOf, lookUp } from './checkedLookup.ts';
import type { OutboundRules } from './policy.ts';
import { connectSocks } from './socks.ts';

interface Line {
  readonly rules: OutboundRules;
  readonly lookup: LookupFunction;
}

/**
 * Opens a connection to the host of the URL through a proxy. The proxy resolves the name itself, so the
 * server also resolves it first: the outbound policy applies with and without a proxy.
 */
export async function openTunnel(
  url: URL,
  proxy: OutboundProxy,
  line: Line,
  { trustAllCertificates, signal }: Pick<OutboundRequest, 'trustAllCertificates' | 'signal'>,
): Promise<Socket> {
  checkUrl(
    new URL(`http://${proxy.host.includes(':') ? `[${proxy.host}]` : proxy.host}:${proxy.port}`),
    line.rules,
  );
  const address = await lookUp(line.lookup, hostOf(url));
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const socket =
    proxy.type === 'SOCKS'
      ? await connectSocks({ address, port }, proxy, { lookup: line.lookup, signal })
      : await connectHttp(`${url.hostname}:${port}`, proxy, line, signal);
  if (url.protocol === 'http:') return socket;
  return connectTls({ socket, servername: hostOf(url), rejectUnauthorized: !trustAllCertificates });
}

function connectHttp(
  target: string,
  proxy: OutboundProxy,
  line: Line,
  signal: AbortSignal | undefined,
): Promise<Socket> {
  const login = proxy.username
    ? Buffer.from(`${proxy.username}:${proxy.password ?? ''}`).toString('base64')
    : undefined;
  return new Promise<Socket>((resolve, reject) => {
    const asked = httpRequest({
      host: proxy.host,
      port: proxy.port,
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...(login && { 'proxy-authorization': `Basic ${login}` }) },
      lookup: line.lookup,
      agent: false,
      ...(signal && { signal }),
    });
    asked.on('connect', (answer, opened) => {
      if (answer.statusCode === 200) resolve(opened as Socket);
      else
        reject(new Error(`The proxy ${proxy.host}:${proxy.port} refused with status ${answer.statusCode}.`));
    });
    asked.on('error', reject);
    asked.end();
  });
}

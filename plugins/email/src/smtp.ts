import { Readable } from 'node:stream';
import { importModule, isStorageUri, messageOf, type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import type { SendMailOptions } from 'nodemailer';
import type { MailInput, StoredFile } from './mailProperties.ts';

type Nodemailer = typeof import('nodemailer');

const defaultPorts = { SMTP: 25, SMTP_TLS: 587, SMTPS: 465, SMTP_OAUTH2: 587 } as const;

/** Sends one mail over a connection that the outbound policy allowed. */
export async function sendMail(context: TaskContext, input: MailInput): Promise<void> {
  const { host = 'localhost', transportStrategy, sessionTimeout, password, accessToken } = input;
  for (const secret of [password, accessToken]) if (secret) context.masker.add(secret);
  const mail = await toMail(context, input);
  const port = input.port ?? defaultPorts[transportStrategy];
  const auth = authOf(input);
  const { createTransport } = await importModule<Nodemailer>('nodemailer');
  const socket = await context.connect({ host, port, timeoutMs: sessionTimeout }).catch((error: unknown) => {
    throw new TaskFailed(`The mail server ${host}:${port} could not be reached: ${messageOf(error)}`, {
      retry: !(error instanceof TaskFailed) || error.retry,
    });
  });
  // A killed task must not wait for the server: destroying the socket makes the client fail at once.
  const stop = () => void socket.destroy();
  context.signal.addEventListener('abort', stop, { once: true });
  const transport = createTransport({
    host,
    port,
    secure: transportStrategy === 'SMTPS',
    requireTLS: transportStrategy === 'SMTP_TLS' || transportStrategy === 'SMTP_OAUTH2',
    connectionTimeout: sessionTimeout,
    greetingTimeout: sessionTimeout,
    socketTimeout: sessionTimeout,
    tls: tlsOf(input, host),
    ...(auth && { auth }),
    // Contents are given; the library may not fetch anything itself.
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket: (_, callback) => callback(null, { connection: socket }),
  });
  try {
    const { rejected } = await transport.sendMail(mail);
    if (rejected.length > 0)
      await context.log(
        'WARN',
        `The mail server refused these recipients: ${rejected.map(String).join(', ')}`,
      );
  } catch (error) {
    context.signal.throwIfAborted();
    throw explain(context, error, { host, port, transportStrategy });
  } finally {
    context.signal.removeEventListener('abort', stop);
    transport.close();
    socket.destroy();
  }
}

/** Certificates of the named hosts are not checked, as mail servers of a company often sign theirs themselves. */
function tlsOf({ verifyServerIdentity, trustedHosts = [] }: MailInput, host: string) {
  const isTrusted = trustedHosts.some(
    (trusted) => trusted === '*' || trusted.toLowerCase() === host.toLowerCase(),
  );
  return {
    rejectUnauthorized: !isTrusted,
    ...(!verifyServerIdentity && { checkServerIdentity: () => undefined }),
  };
}

function authOf({ transportStrategy, username, password, accessToken }: MailInput) {
  if (transportStrategy === 'SMTP_OAUTH2') {
    const token = accessToken ?? password;
    if (username === undefined || token === undefined)
      throw new TaskFailed('SMTP_OAUTH2 needs "username" and "accessToken".', { retry: false });
    return { type: 'OAuth2' as const, user: username, accessToken: token };
  }
  return username === undefined ? undefined : { user: username, pass: password ?? '' };
}

async function toMail(context: TaskContext, input: MailInput): Promise<SendMailOptions> {
  const { from, to, cc, bcc, replyTo, subject, messageId, htmlTextContent, plainTextContent } = input;
  if (to.length + cc.length + bcc.length === 0)
    throw new TaskFailed('"to", "cc" or "bcc" must name at least one recipient.', { retry: false });
  return {
    ...(from !== undefined && { from }),
    to: [...to],
    cc: [...cc],
    bcc: [...bcc],
    ...(replyTo.length > 0 && { replyTo: [...replyTo] }),
    ...(subject !== undefined && { subject }),
    ...(messageId !== undefined && { messageId }),
    text: plainTextContent,
    ...(htmlTextContent !== undefined && { html: htmlTextContent }),
    attachments: [
      ...(await filesOf(context, input.attachments, 'attachments')),
      ...(await filesOf(context, input.embeddedImages, 'embeddedImages')).map((file) => ({
        ...file,
        cid: file.filename,
        contentDisposition: 'inline' as const,
      })),
    ],
  };
}

/** The files are read while the mail is sent, so their size does not matter. */
async function filesOf({ files }: TaskContext, list: readonly StoredFile[] | undefined, property: string) {
  const found = [];
  for (const { name, uri, contentType } of list ?? []) {
    const size = isStorageUri(uri) ? await files.sizeOf(uri) : undefined;
    if (size === undefined)
      throw new TaskFailed(`There is no file ${uri} in internal storage ("${property}").`, { retry: false });
    async function* content() {
      yield* await files.read(uri);
    }
    found.push({ filename: name, contentType, content: Readable.from(content(), { objectMode: false }) });
  }
  return found;
}

interface SmtpFailure {
  readonly code?: unknown;
  readonly responseCode?: unknown;
}

/** Explains the failure in the task's terms. 5xx replies are permanent, all others can be retried. */
function explain(
  { masker }: TaskContext,
  error: unknown,
  { host, port, transportStrategy }: { host: string; port: number; transportStrategy: string },
): TaskFailed {
  // `as`: both are checked for their values only.
  const { code, responseCode } = (typeof error === 'object' && error !== null ? error : {}) as SmtpFailure;
  const said = masker.mask(messageOf(error));
  const isFinal = typeof responseCode === 'number' && responseCode >= 500;
  const place = `The mail server ${host}:${port}`;
  if (code === 'EAUTH' || code === 'ENOAUTH' || code === 'EOAUTH2')
    return new TaskFailed(`${place} refused the login. Check "username" and "password": ${said}`, {
      retry: !isFinal,
    });
  if (code === 'ETLS' || /certificate|self-signed|altnames/i.test(said))
    return new TaskFailed(
      `${place} could not be trusted: ${said}. Add the host to "trustedHosts" if its certificate is your own.`,
      { retry: false },
    );
  if (/wrong version number|packet length too long/i.test(said))
    return new TaskFailed(
      `${place} does not begin with TLS as ${transportStrategy} needs. Try "transportStrategy: SMTP_TLS" or another port.`,
      { retry: false },
    );
  if (code === 'ETIMEDOUT')
    return new TaskFailed(`${place} did not respond within "sessionTimeout": ${said}`);
  return new TaskFailed(`${place} did not take the mail: ${said}`, { retry: !isFinal });
}

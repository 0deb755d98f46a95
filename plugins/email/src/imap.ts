import type { LookupAddress } from 'node:dns';
import { type Emit, importModule, messageOf, TaskFailed, type TriggerContext } from '@millrace/plugin-kit';
import type { FetchMessageObject, ImapFlow } from 'imapflow';
import { z } from 'zod';
import type { Mailbox } from './mailbox.ts';
import { maxMailBytes, parseMail, type ReceivedMail } from './received.ts';

/** The maximum number of mails per poll; the next poll finds the rest. */
const mostMails = 50;

/** UIDs grow with every mail, as long as the folder keeps its validity. */
const Memory = z.object({ uidValidity: z.string(), lastUid: z.number() });
type Memory = z.infer<typeof Memory>;

export async function pollImap(context: TriggerContext, mailbox: Mailbox): Promise<ReceivedMail[]> {
  return withFolder(context, mailbox, async (client) => {
    const found = await findNew(client, readMemory(context), mailbox.interval);
    const mails: ReceivedMail[] = [];
    for (const uid of found.uids.slice(0, mostMails)) {
      const mail = await fetchMail(client, uid);
      if (mail) mails.push(mail);
      found.lastUid = Math.max(found.lastUid, uid);
    }
    context.remember({ uidValidity: found.uidValidity, lastUid: found.lastUid });
    return mails;
  });
}

export async function listenToImap(context: TriggerContext, mailbox: Mailbox, emit: Emit): Promise<void> {
  await withFolder(context, mailbox, async (client) => {
    let memory = readMemory(context);
    for (;;) {
      const { uids, uidValidity, lastUid } = await findNew(client, memory, 0);
      for (const uid of uids) {
        const mail = await fetchMail(client, uid);
        context.remember({ uidValidity, lastUid: uid });
        if (mail) await emit(mail, { key: `${uidValidity}-${uid}` });
      }
      memory = { uidValidity, lastUid: uids.at(-1) ?? lastUid };
      context.remember(memory);
      await nextMail(client, context.signal, mailbox.interval);
      context.signal.throwIfAborted();
    }
  });
}

/** Resolves when the server announces a mail, or after the interval, because some servers announce none. */
async function nextMail(client: ImapFlow, signal: AbortSignal, intervalMs: number): Promise<void> {
  const done = new AbortController();
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, intervalMs);
      const closed = () => reject(new TaskFailed('The mail server closed the connection.'));
      const exists = () => resolve();
      client.on('exists', exists);
      client.on('close', closed);
      signal.addEventListener('abort', exists, { once: true });
      done.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        client.off('exists', exists);
        client.off('close', closed);
        signal.removeEventListener('abort', exists);
      });
      // The next command ends IDLE; its own failure closes the connection, which is heard above.
      client.idle().catch(() => {});
    });
  } finally {
    done.abort();
  }
}

function readMemory({ memory }: TriggerContext): Memory | undefined {
  const read = Memory.safeParse(memory);
  return read.success ? read.data : undefined;
}

interface Found {
  readonly uids: readonly number[];
  readonly uidValidity: string;
  lastUid: number;
}

/** The UIDs after the last known one; without a memory, those that arrived within the interval. */
async function findNew(client: ImapFlow, memory: Memory | undefined, intervalMs: number): Promise<Found> {
  const folder = client.mailbox;
  if (!folder) throw new TaskFailed('The folder was closed by the mail server.');
  const uidValidity = String(folder.uidValidity);
  if (memory?.uidValidity === uidValidity) {
    const { lastUid } = memory;
    const range = await client.search({ uid: `${lastUid + 1}:*` }, { uid: true });
    // `n:*` always holds the last mail, even when its UID is below n.
    const uids = (range || []).filter((uid) => uid > lastUid).sort((a, b) => a - b);
    return { uids, uidValidity, lastUid };
  }
  const lastUid = folder.uidNext - 1;
  if (intervalMs === 0) return { uids: [], uidValidity, lastUid };
  const after = Date.now() - intervalMs;
  const uids: number[] = [];
  const sameDay = await client.search({ since: new Date(after - 24 * 3_600_000) }, { uid: true });
  for (const uid of (sameDay || []).slice(-mostMails)) {
    const message = await client.fetchOne(String(uid), { internalDate: true }, { uid: true });
    if (message && arrivedAt(message) > after) uids.push(uid);
  }
  return { uids, uidValidity, lastUid };
}

const arrivedAt = ({ internalDate }: FetchMessageObject): number =>
  internalDate === undefined ? 0 : new Date(internalDate).getTime();

/** Undefined when the mail was deleted in the meantime. */
async function fetchMail(client: ImapFlow, uid: number): Promise<ReceivedMail | undefined> {
  const message = await client.fetchOne(
    String(uid),
    { source: { start: 0, maxLength: maxMailBytes } },
    { uid: true },
  );
  const source = message ? message.source : undefined;
  return source && parseMail(source);
}

type ImapModule = typeof import('imapflow');

/** Opens the folder for reading only and closes the connection in every case. */
async function withFolder<T>(
  context: TriggerContext,
  { host, port, username, password, folder, ssl, trustAllCertificates }: Mailbox,
  use: (client: ImapFlow) => Promise<T>,
): Promise<T> {
  const { ImapFlow: Client } = await importModule<ImapModule>('imapflow');
  const place = `The mail server ${host}:${port ?? (ssl ? 993 : 143)}`;
  const client = new Client({
    // The address that the outbound policy allowed; the name is for its certificate.
    host: await resolveHost(context, host),
    servername: host,
    port: port ?? (ssl ? 993 : 143),
    secure: ssl,
    auth: { user: username, pass: password },
    logger: false,
    connectionTimeout: 30_000,
    // With STARTTLS an attacker can strip the encryption anyway, so checking the certificate proves nothing.
    tls: { rejectUnauthorized: ssl && !trustAllCertificates },
  });
  // Failures of the connection reach the command that runs; without a listener they would end the process.
  client.on('error', () => {});
  const stop = () => client.close();
  context.signal.addEventListener('abort', stop, { once: true });
  try {
    await client.connect();
    await client.mailboxOpen(folder, { readOnly: true });
    return await use(client);
  } catch (error) {
    context.signal.throwIfAborted();
    throw explain(context, error, place, folder);
  } finally {
    context.signal.removeEventListener('abort', stop);
    await client.logout().catch(() => {});
    client.close();
  }
}

function resolveHost({ lookup }: TriggerContext, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    lookup(host, { all: true }, (error, found) => {
      const [first]: (LookupAddress | undefined)[] = Array.isArray(found)
        ? found
        : [{ address: found, family: 0 }];
      if (error) reject(new TaskFailed(`The mail server ${host} could not be found: ${error.message}`));
      else resolve(first?.address ?? host);
    });
  });
}

interface ImapFailure {
  readonly authenticationFailed?: boolean;
  readonly responseText?: string;
  readonly mailboxMissing?: boolean;
}

function explain({ masker }: TriggerContext, error: unknown, place: string, folder: string): TaskFailed {
  if (error instanceof TaskFailed) return error;
  // `as`: the properties that the client adds to its errors.
  const failure = (typeof error === 'object' && error !== null ? error : {}) as ImapFailure;
  const said = masker.mask(failure.responseText ?? messageOf(error));
  if (failure.authenticationFailed)
    return new TaskFailed(`${place} refused the login. Check "username" and "password": ${said}`, {
      retry: false,
    });
  if (/certificate|self-signed|altnames/i.test(said))
    return new TaskFailed(
      `${place} could not be trusted: ${said}. "trustAllCertificates" skips this check.`,
      {
        retry: false,
      },
    );
  if (failure.mailboxMissing || /mailbox doesn't exist|nonexistent/i.test(said))
    return new TaskFailed(`${place} has no folder "${folder}": ${said}`, { retry: false });
  return new TaskFailed(`${place} could not be read: ${said}`);
}

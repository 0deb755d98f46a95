import { setTimeout as delay } from 'node:timers/promises';
import type { Emit, TriggerContext } from '@millrace/plugin-kit';
import { z } from 'zod';
import type { Mailbox } from './mailbox.ts';
import { type Pop3, withPop3 } from './pop3.ts';
import { parseMail, type ReceivedMail } from './received.ts';

const mostMails = 50;

/** The ids of the last mails that were seen. Several, because the last one may be deleted by another client. */
const Memory = z.object({ ids: z.array(z.string()), at: z.number() });
type Memory = z.infer<typeof Memory>;

interface NewMail {
  readonly id: string;
  readonly mail: ReceivedMail;
}

export async function pollPop3(context: TriggerContext, mailbox: Mailbox): Promise<ReceivedMail[]> {
  const { mails, memory } = await readNew(context, mailbox, readMemory(context.memory), mailbox.interval);
  context.remember(memory);
  return mails.map(({ mail }) => mail);
}

export async function listenToPop3(context: TriggerContext, mailbox: Mailbox, emit: Emit): Promise<void> {
  for (let memory = readMemory(context.memory); ; ) {
    const read = await readNew(context, mailbox, memory, 0);
    for (const { id, mail } of read.mails) await emit(mail, { key: id });
    memory = read.memory;
    context.remember(memory);
    await delay(mailbox.interval, undefined, { signal: context.signal });
  }
}

function readMemory(memory: unknown): Memory | undefined {
  const read = Memory.safeParse(memory);
  return read.success ? read.data : undefined;
}

/** POP3 reports neither new mails nor arrival times, so all mails after the last known one are new. */
function readNew(
  context: TriggerContext,
  mailbox: Mailbox,
  memory: Memory | undefined,
  firstIntervalMs: number,
): Promise<{ mails: readonly NewMail[]; memory: Memory }> {
  const startedAt = Date.now();
  return withPop3(context, mailbox, async (client) => {
    const all = await client.list();
    const known = new Set(memory?.ids);
    const lastKnown = all.findLastIndex(({ id }) => known.has(id));
    const wasEmpty = memory !== undefined && memory.ids.length === 0;
    // When all known mails are gone, mails that arrived since the last poll are new.
    const after = lastKnown >= 0 || wasEmpty ? undefined : (memory?.at ?? startedAt - firstIntervalMs);
    const candidates = after === undefined ? all.slice(lastKnown + 1) : all.slice(-mostMails);
    const mails: NewMail[] = [];
    for (const { number, id } of candidates.slice(0, mostMails)) {
      if (after !== undefined && !(await arrivedAfter(client, number, after))) continue;
      mails.push({ id, mail: await parseMail(await client.retrieve(number)) });
    }
    const last = candidates.slice(0, mostMails).at(-1)?.number ?? all.at(-1)?.number ?? 0;
    const seen = all.filter(({ number }) => number <= last).slice(-mostMails);
    return { mails, memory: { ids: seen.map(({ id }) => id), at: startedAt } };
  });
}

/** Compares the time of the topmost `Received` header, or else the date sent, with second precision. */
async function arrivedAfter(client: Pop3, number: number, after: number): Promise<boolean> {
  const header = (await client.header(number)).replace(/\r\n[ \t]+/g, ' ');
  const received = /^Received:.*;([^;\r\n]*)$/im.exec(header)?.[1];
  const at = Date.parse(received ?? /^Date:([^\r\n]*)$/im.exec(header)?.[1] ?? '');
  return !Number.isNaN(at) && at >= Math.floor(after / 1000) * 1000;
}

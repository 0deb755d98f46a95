import { setTimeout as wait } from 'node:timers/promises';
import { type AlertChannel, channelSecrets } from '@millrace/contract';
import { createMasker, messageOf } from '@millrace/plugin-kit';
import { Conflict, isUnavailable, type Op, type Store, type StoredDocument } from '@millrace/store';
import type { ProcessLog } from '../processLog.ts';
import type { ChannelSecrets } from './channelSecrets.ts';
import { attemptMs, type SendParts, sendAlert } from './channels/send.ts';
import { type AlertMessage, composeMessage, testMessage } from './message.ts';
import { type Delivery, deliveryOf, findChannel, incidentOf, kinds, pendingDocument } from './records.ts';

export interface SenderParts extends SendParts {
  readonly store: Store;
  readonly secrets: ChannelSecrets;
  readonly log: ProcessLog;
  readonly newId: () => string;
  /** The address of the web app, for links. */
  readonly url: string | undefined;
  /** No other server works on this database. */
  readonly isAlone: boolean;
}

/** After a failure of the database. */
const retryMs = 3_000;
/** Without a message that is due earlier; another server may have stopped before it sent its messages. */
const longestWaitMs = 15_000;
const batchSize = 100;
/** A server that stops during an attempt leaves the message to the others after this time. */
const leaseMs = 2 * attemptMs;
const firstPauseMs = 5_000;
const longestPauseMs = 900_000;
/** A message that could not be delivered for this long is given up. */
const giveUpMs = 24 * 3_600_000;
const finishTries = 8;
const stopGraceMs = 2_000;

/**
 * Sends stored messages. A message is claimed under the version of its record before each attempt, so that
 * one server sends it, and its content is fixed then. When the server stops between the response of the
 * receiver and the commit that records it, the message is sent again with the same event id.
 */
export class AlertSender {
  readonly #parts: SenderParts;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #isWanted = false;
  #isStopped = true;
  #isTroubled = false;
  #waitMs = retryMs;
  readonly #stopping = new AbortController();

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    this.#isStopped = false;
    if (this.#parts.isAlone) await this.#releaseClaims();
    this.wake();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    // A message that is being sent may end; one that hangs is sent again by the next process.
    const grace = setTimeout(() => this.#stopping.abort(), stopGraceMs);
    await this.#round;
    clearTimeout(grace);
  }

  /** A message may be due. */
  wake(): void {
    this.#isWanted = true;
    if (this.#round || this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#round = this.#sendDue()
      .catch((error: unknown) => {
        if (!this.#isTroubled && !this.#isStopped)
          this.#parts.log.error('Alert messages could not be read.', { error });
        this.#isTroubled = true;
      })
      .finally(() => {
        this.#round = undefined;
        if (this.#isStopped) return;
        if (this.#isWanted) this.wake();
        else this.#timer = setTimeout(() => this.wake(), this.#waitMs);
      });
  }

  /** Settles when everything that is due was tried once. */
  async settle(): Promise<void> {
    while (this.#round) await this.#round;
  }

  /** Sends a test within the call. Returns the error of the receiver. */
  async test(channel: AlertChannel): Promise<string | undefined> {
    const { newId, clock, url } = this.#parts;
    const message = testMessage(channel.id, newId(), clock(), url);
    return this.#attempt(channel, message);
  }

  /** The earlier process of the only server has ended, and its claims with it. */
  async #releaseClaims(): Promise<void> {
    const { store, clock } = this.#parts;
    const now = clock();
    const claimed = await store.listDocuments({ kind: kinds.pending, from: now, limit: batchSize });
    for (const document of claimed) {
      const stored = deliveryOf(document);
      if (stored?.claimedAt === undefined) continue;
      const { claimedAt: _, ...delivery } = stored;
      await this.#tryCommit([
        { op: 'document.put', document: pendingDocument(delivery, now), expectVersion: document.version },
      ]);
    }
  }

  async #sendDue(): Promise<void> {
    const { store, clock } = this.#parts;
    while (this.#isWanted && !this.#isStopped) {
      this.#isWanted = false;
      this.#waitMs = retryMs;
      const pending = await store.listDocuments({ kind: kinds.pending, limit: batchSize });
      this.#isTroubled = false;
      const now = clock();
      const due = pending.filter(({ at }) => at <= now);
      const next = pending[due.length]?.at ?? Number.POSITIVE_INFINITY;
      const byChannel = new Map<string, { document: StoredDocument; delivery: Delivery }[]>();
      for (const document of due) {
        const delivery = deliveryOf(document);
        const channel = document.parent ?? '';
        if (delivery) byChannel.set(channel, [...(byChannel.get(channel) ?? []), { document, delivery }]);
      }
      // In order per channel; a slow receiver delays only its own messages.
      await Promise.all(
        [...byChannel.values()].map(async (messages) => {
          for (const { document, delivery } of messages)
            if (!this.#isStopped) await this.#send(document, delivery);
        }),
      );
      // More may be due, and a message that failed has a new date. Unreadable ones alone would come again at once.
      if (byChannel.size > 0) this.#isWanted = true;
      this.#waitMs = Math.min(Math.max(next - clock(), 0), longestWaitMs);
    }
  }

  async #send(document: StoredDocument, { claimedAt: _, ...delivery }: Delivery): Promise<void> {
    const { store, clock } = this.#parts;
    const channel = await findChannel(store, delivery.channelId);
    const content = (delivery.content as AlertMessage | undefined) ?? (await this.#compose(delivery));
    if (!channel || !content) {
      const lastError = channel ? 'The incident was deleted.' : 'The channel was deleted.';
      return this.#finish({ ...delivery, lastError, outcome: 'FAILED' }, document.version);
    }
    const now = clock();
    const claimed = { ...delivery, content, attempts: delivery.attempts + 1, claimedAt: now };
    const isClaimed = await this.#tryCommit([
      {
        op: 'document.put',
        document: pendingDocument(claimed, now + leaseMs),
        expectVersion: document.version,
      },
    ]);
    if (!isClaimed) return;
    const error = await this.#attempt(channel.value, content);
    const version = document.version + 1;
    const tried = { ...delivery, content, attempts: claimed.attempts };
    if (error === undefined) return this.#finish({ ...tried, outcome: 'SENT' }, version);
    const failed = { ...tried, lastError: error, failingSince: delivery.failingSince ?? now };
    if (clock() - delivery.createdAt > giveUpMs)
      return this.#finish({ ...failed, outcome: 'FAILED' }, version);
    const pause = Math.min(firstPauseMs * 2 ** (claimed.attempts - 1), longestPauseMs);
    await this.#tryCommit([
      { op: 'document.put', document: pendingDocument(failed, clock() + pause), expectVersion: version },
    ]);
  }

  async #compose({ id, openId, incidentId, kind }: Delivery): Promise<AlertMessage | undefined> {
    const { store, url, clock } = this.#parts;
    const read = async (of: string, documentId: string) => {
      const found = await store.getDocument(of, documentId);
      return found && incidentOf(found);
    };
    const open = await read(kinds.open, openId);
    const incident = open?.id === incidentId ? open : await read(kinds.ended, incidentId);
    return incident && composeMessage({ eventId: id, kind }, incident, { url, now: clock() });
  }

  /** Returns the error, in which the secrets of the channel are masked. */
  async #attempt(channel: AlertChannel, message: AlertMessage): Promise<string | undefined> {
    const masker = createMasker();
    try {
      const resolved: AlertChannel & Readonly<Record<string, unknown>> =
        await this.#parts.secrets.resolve(channel);
      for (const name of channelSecrets[channel.type]) masker.add(String(resolved[name] ?? ''));
      await sendAlert(resolved, message, { ...this.#parts, signal: this.#stopping.signal });
      return undefined;
    } catch (error) {
      return masker.mask(messageOf(error)).slice(0, 1_000) || 'The message could not be sent.';
    }
  }

  /**
   * Moves a message to the history. The message is sent, so a database that cannot be reached is tried again:
   * otherwise the message would be sent a second time.
   */
  async #finish({ content: _, ...delivery }: Delivery, version: number): Promise<void> {
    const document = {
      kind: kinds.done,
      id: delivery.id,
      parent: delivery.channelId,
      at: this.#parts.clock(),
      data: delivery,
    };
    for (let tries = 1; ; tries++) {
      try {
        await this.#tryCommit([
          { op: 'document.delete', kind: kinds.pending, id: delivery.id, expectVersion: version },
          { op: 'document.put', document },
        ]);
        return;
      } catch (error) {
        if (!isUnavailable(error) || tries === finishTries || this.#isStopped) throw error;
        await wait(tries * 500);
      }
    }
  }

  /** False when another server changed the message first. */
  async #tryCommit(ops: readonly Op[]): Promise<boolean> {
    try {
      await this.#parts.store.commit(ops);
      return true;
    } catch (error) {
      if (error instanceof Conflict) return false;
      throw error;
    }
  }
}

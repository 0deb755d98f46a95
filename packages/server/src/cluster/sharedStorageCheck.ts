import type { BlobStore } from '@millrace/contract';
import { blobKey } from '@millrace/store';
import type { ProcessLog } from '../processLog.ts';
import type { Membership } from './membership.ts';

export interface SharedStorageCheckParts {
  readonly blobs: BlobStore;
  readonly membership: Membership;
  /** Where this server keeps its files, for people. */
  readonly place: string;
  readonly log: ProcessLog;
}

/** Where a server shows that it was here. */
export const markerOf = (serverId: string): string => blobKey(`.servers/${serverId}`);

/**
 * Servers on one database must keep their files in one place, or one cannot read what another has written. Each leaves a
 * mark where it keeps them and looks for the marks of the others; that is tried out, not guessed from the settings.
 */
export class SharedStorageCheck {
  readonly #parts: SharedStorageCheckParts;
  /** Servers that need no further check. */
  readonly #seen = new Set<string>();
  /** Servers whose marker was not found by the last check. */
  readonly #missing = new Set<string>();
  readonly #cleared = new Set<string>();

  constructor(parts: SharedStorageCheckParts) {
    this.#parts = parts;
  }

  async leave(): Promise<void> {
    const { blobs, membership } = this.#parts;
    await blobs.put(markerOf(membership.id), nothing());
    membership.hasStorageMarker();
  }

  /** Warns once about each server whose marker is missing, and removes the markers of expired servers. */
  async check(): Promise<void> {
    const { blobs, membership, place, log } = this.#parts;
    for (const { id: serverId, marksStorage } of membership.active) {
      if (serverId === membership.id || !marksStorage || this.#seen.has(serverId)) continue;
      if ((await blobs.stat(markerOf(serverId))) === undefined) {
        // A server that stops removes its marker before the others notice, so only a second check counts.
        if (!this.#missing.has(serverId)) {
          this.#missing.add(serverId);
          continue;
        }
        log.warn(
          'Another server on this database keeps its files elsewhere, so that each cannot read what the other writes. Use S3 or a folder that all of them share.',
          { serverId, storage: place },
        );
      }
      this.#seen.add(serverId);
    }
    for (const id of membership.goneIds.filter((gone) => !this.#cleared.has(gone))) {
      await blobs.delete(markerOf(id));
      this.#cleared.add(id);
    }
  }

  async remove(): Promise<void> {
    const { blobs, membership, log } = this.#parts;
    await blobs.delete(markerOf(membership.id)).catch((error: unknown) => {
      log.warn('The mark of this server could not be removed from the storage.', { error });
    });
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

import { ownPrefix, readInside, type TaskContext, walkInside, writeInside } from '@millrace/plugin-kit';
import { deleteObject, listObjects, objectUrl, type Place, uploadUrl } from '../gcs/objects.ts';
import { type Google, segment } from '../google/client.ts';
import { uploadResumable } from '../google/upload.ts';

/** Where the bucket is mounted in the container. */
export const mountPath = '/mnt/disks/millrace';

/**
 * The working folder of a job in a bucket: uploaded before the container starts, mounted in it, and read back afterwards.
 * The commands were written for the folder on this machine, so its path is replaced in them.
 */
export class RemoteFolder {
  readonly #google: Google;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #staged = new Map<string, string>();

  constructor(
    google: Google,
    bucket: string,
    run: Pick<TaskContext['run'], 'executionId' | 'taskRunId' | 'attempt'>,
  ) {
    this.#google = google;
    this.#bucket = bucket.replace(/^gs:\/\//, '').replace(/\/+$/, '');
    this.#prefix = `millrace/${run.executionId}/${run.taskRunId}-${run.attempt}`;
  }

  get bucket(): string {
    return this.#bucket;
  }

  /** The folder inside the container. */
  get path(): string {
    return `${mountPath}/${this.#prefix}`;
  }

  async upload(folder: string): Promise<void> {
    for await (const { path, isLink } of walkInside(folder)) {
      if (isLink) continue;
      const name = `${this.#prefix}/${path}`;
      const object = await uploadResumable(this.#google, {
        url: `${uploadUrl}/b/${segment(this.#bucket)}/o`,
        query: { name },
        metadata: { name },
        contentType: 'application/octet-stream',
        content: readInside(folder, path),
      });
      this.#staged.set(name, String(object.generation ?? ''));
    }
    // A mounted bucket shows only folders that hold something.
    if (this.#staged.size === 0) await this.#mark();
  }

  async #mark(): Promise<void> {
    const name = `${this.#prefix}/${ownPrefix}folder`;
    await this.#google.json({
      url: `${uploadUrl}/b/${segment(this.#bucket)}/o`,
      method: 'POST',
      query: { uploadType: 'media', name },
      content: '',
      headers: { 'content-type': 'application/octet-stream' },
    });
    this.#staged.set(name, '');
  }

  /** Downloads the files that the job wrote or changed. */
  async download(folder: string): Promise<void> {
    for await (const { blob, generation } of this.#objects()) {
      const inner = blob.name.slice(this.#prefix.length + 1);
      if (inner === '' || inner.endsWith('/') || this.#staged.get(blob.name) === generation) continue;
      if (inner === `${ownPrefix}folder`) continue;
      const place: Place = blob;
      const { body } = await this.#google.send({
        url: objectUrl(place),
        query: { alt: 'media' },
        headers: { accept: '*/*' },
      });
      await writeInside(folder, inner, body);
    }
  }

  async remove(): Promise<void> {
    for await (const { blob } of this.#objects()) await deleteObject(this.#google, blob);
  }

  #objects() {
    const from = `gs://${this.#bucket}/${this.#prefix}/`;
    return listObjects(this.#google, { from, listingType: 'RECURSIVE', filter: 'FILES' });
  }
}

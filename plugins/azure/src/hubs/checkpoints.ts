import { type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import { readText } from '../client/http.ts';
import { encodePath, Storage } from '../client/storage.ts';
import { addressOf, type HubEvent, type HubInput } from './hub.ts';

/** Where consumers continue, kept as the SDKs of Azure keep it: one blob per partition, with metadata. */
export class Checkpoints {
  readonly #storage: Storage;
  readonly #container: string;
  readonly #prefix: string;

  constructor(
    context: TaskContext,
    input: HubInput & { readonly consumerGroup: string },
    properties: Readonly<Record<string, string>>,
  ) {
    const { containerName, ...connection } = properties;
    if (!containerName)
      throw new TaskFailed('"checkpointStoreProperties" must have "containerName", the blob container.', {
        retry: false,
      });
    this.#storage = new Storage(context, connection, 'blob');
    this.#container = containerName;
    const { name } = addressOf(input);
    this.#prefix = `${name}/${input.eventHubName}/${input.consumerGroup}/checkpoint`.toLowerCase();
  }

  #url(partition: string): string {
    return this.#storage.url(encodePath(this.#container, `${this.#prefix}/${partition}`));
  }

  /** The offset of the last event that was processed. */
  async read(partition: string): Promise<string | undefined> {
    const response = await this.#storage.send({
      action: `the checkpoint of partition ${partition}`,
      method: 'HEAD',
      url: this.#url(partition),
      accept: [404],
    });
    await readText(response);
    return response.status === 404 ? undefined : response.headers['x-ms-meta-offset']?.[0];
  }

  async write({ partition, offset, sequenceNumber }: HubEvent): Promise<void> {
    const response = await this.#storage.send({
      action: `the checkpoint of partition ${partition}`,
      method: 'PUT',
      url: this.#url(partition),
      headers: {
        'x-ms-blob-type': 'BlockBlob',
        'x-ms-meta-offset': offset,
        'x-ms-meta-sequencenumber': String(sequenceNumber),
      },
    });
    await readText(response);
  }
}

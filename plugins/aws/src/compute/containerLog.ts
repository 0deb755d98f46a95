import { dropMissing } from '@millrace/plugin-kit';
import { z } from 'zod';
import { type AwsClient, AwsError } from '../client/awsClient.ts';

const Events = z.object({
  events: z.array(z.looseObject({ message: z.string() })).default([]),
  nextForwardToken: z.string().nullish(),
});

/** The log of a container in CloudWatch, from where it was last read. */
export class ContainerLog {
  readonly #client: AwsClient;
  readonly #group: string;
  readonly #write: (line: string) => void | Promise<void>;
  #token: string | undefined;

  constructor(client: AwsClient, group: string, write: (line: string) => void | Promise<void>) {
    this.#client = client;
    this.#group = group;
    this.#write = write;
  }

  /** Reads one page; false when it had no new lines. */
  async read(stream: string | null | undefined): Promise<boolean> {
    if (!stream) return false;
    try {
      const page = await this.#client.json(
        'GetLogEvents',
        {
          logGroupName: this.#group,
          logStreamName: stream,
          startFromHead: true,
          ...dropMissing({ nextToken: this.#token }),
        },
        Events,
      );
      for (const { message } of page.events) await this.#write(`${message}\n`);
      const isNew = page.nextForwardToken !== this.#token;
      this.#token = page.nextForwardToken ?? undefined;
      return isNew && page.events.length > 0;
    } catch (error) {
      // A container without output has no stream yet.
      if (error instanceof AwsError && error.failure.code === 'ResourceNotFoundException') return false;
      throw error;
    }
  }

  async readRest(stream: string | null | undefined): Promise<void> {
    while (await this.read(stream)) {
      // The next page follows.
    }
  }
}

import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AlertChannel, AppError, channelSecrets, hiddenSecret } from '@millrace/contract';
import { renderDeep } from '@millrace/expression';
import type { Config } from '../config/schema.ts';
import { createEncryption, type Encryption } from '../secrets/encryption.ts';
import type { Secrets } from '../secrets/environmentSecrets.ts';

const sealedPrefix = 'sealed:';
const keyFile = 'alert-channels.key';

export interface SecretParts {
  readonly config: Config;
  readonly encryption: Encryption | undefined;
  readonly secrets: Secrets;
  readonly clock: () => number;
  readonly newId: () => string;
}

type Properties = Readonly<Record<string, unknown>>;

/**
 * The secrets of channels: expressions such as `{{ secret('NAME') }}` are stored as they are, all other values
 * encrypted. Neither is ever returned in plain text.
 */
export class ChannelSecrets {
  readonly #parts: SecretParts;
  #own: Promise<Encryption> | undefined;

  constructor(parts: SecretParts) {
    this.#parts = parts;
  }

  /** The channel as it is stored. A hidden secret keeps the value of the stored channel. */
  async seal(channel: AlertChannel, stored: AlertChannel | undefined): Promise<AlertChannel> {
    const kept: Properties = stored?.type === channel.type ? { ...stored } : {};
    return change(channel, async (value, name) => {
      if (value !== hiddenSecret) return isExpression(value) ? value : this.#encrypt(value);
      const before = kept[name];
      if (typeof before === 'string') return before;
      throw new AppError('invalid-entity', `${name}: there is no stored value to keep`, {
        errors: [{ path: name, message: 'there is no stored value to keep' }],
      });
    });
  }

  /** The channel as the API returns it. */
  hide(channel: AlertChannel): Promise<AlertChannel> {
    return change(channel, async (value) => (isExpression(value) ? value : hiddenSecret));
  }

  /** The channel with the values that a message is sent with. */
  async resolve(channel: AlertChannel): Promise<AlertChannel> {
    const { secrets, clock, newId } = this.#parts;
    const opened = await change(channel, (value) => this.#decrypt(value));
    // Expressions of channels see secrets only: they belong to no flow.
    const host = { now: clock, random: Math.random, id: newId, secret: (name: string) => secrets.find(name) };
    const rendered = await renderDeep(opened, {}, host);
    return AlertChannel.parse(rendered);
  }

  async #encrypt(value: string): Promise<string> {
    return sealedPrefix + (await this.#encryption()).encrypt(value);
  }

  async #decrypt(value: string): Promise<string> {
    if (!value.startsWith(sealedPrefix)) return value;
    try {
      return (await this.#encryption()).decrypt(value.slice(sealedPrefix.length));
    } catch (cause) {
      throw new AppError(
        'illegal-state',
        'A secret of the channel cannot be decrypted because the encryption key has changed; save the channel with the secret again.',
        { cause },
      );
    }
  }

  /** The configured key. A single server without one makes its own, in a file that only it can read. */
  async #encryption(): Promise<Encryption> {
    const { encryption, config } = this.#parts;
    if (encryption) return encryption;
    if (config.database.url !== undefined)
      throw new AppError(
        'illegal-argument',
        "servers that share a database need the setting encryption.secretKey to store a secret; set it, or write {{ secret('NAME') }}",
      );
    this.#own ??= readOrCreateKey(join(config.data, keyFile)).then(createEncryption);
    return this.#own;
  }
}

async function readOrCreateKey(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    const key = randomBytes(32).toString('base64');
    await writeFile(path, `${key}\n`, { mode: 0o600, flag: 'wx' });
    return key;
  }
}

const isExpression = (value: string): boolean => value.includes('{{');

/** Replaces the secrets of a channel. */
async function change(
  channel: AlertChannel,
  replace: (value: string, name: string) => Promise<string>,
): Promise<AlertChannel> {
  const properties: Record<string, unknown> = { ...channel };
  for (const name of channelSecrets[channel.type]) {
    const value = properties[name];
    if (typeof value === 'string') properties[name] = await replace(value, name);
  }
  // `as`: only texts were replaced by texts.
  return properties as unknown as AlertChannel;
}

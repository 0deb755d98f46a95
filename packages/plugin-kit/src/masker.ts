/** Finds and masks secret values in text. */
export interface Masker {
  /** Masks this value from now on, in every form in which it may be printed. */
  add(secret: string): void;
  /**
   * Masks the secrets in a text. The length does not change, so a masked text can be cut and masked again.
   */
  mask(text: string): string;
  /** The length of the longest form; chunked text holds back this many characters to detect split secrets. */
  readonly longest: number;
}

/** Shorter values are not masked: masking them would hide ordinary words and reveal the secret. */
const shortestSecret = 3;
const shortestPart = 6;
const cover = '**masked*';

export function createMasker(secrets: Iterable<string> = []): Masker {
  return new SecretMasker(secrets);
}

/**
 * Every attempt has a masker, and most never see a secret. Methods are fields so that they can be
 * destructured.
 */
class SecretMasker implements Masker {
  #forms: Set<string> | undefined;
  #pattern: RegExp | undefined;
  #longest = 0;

  constructor(secrets: Iterable<string>) {
    for (const secret of secrets) this.add(secret);
  }

  get longest(): number {
    return this.#longest;
  }

  readonly add = (secret: string): void => {
    for (const form of formsOf(secret)) {
      if (this.#forms?.has(form)) continue;
      this.#forms ??= new Set();
      this.#forms.add(form);
      this.#longest = Math.max(this.#longest, form.length);
      this.#pattern = undefined;
    }
  };

  readonly mask = (text: string): string => {
    if (!this.#forms) return text;
    this.#pattern ??= toPattern(this.#forms);
    return text.replace(this.#pattern, coverUp);
  };
}

/** One asterisk per character; masks of nine or more characters start with a word that says why. */
const coverUp = (found: string): string =>
  found.length < cover.length ? '*'.repeat(found.length) : cover + '*'.repeat(found.length - cover.length);

/** Longest first, so that a secret contained in another does not expose the rest of it. */
const toPattern = (forms: ReadonlySet<string>): RegExp =>
  new RegExp(
    [...forms]
      .sort((a, b) => b.length - a.length)
      .map((form) => form.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
      .join('|'),
    'g',
  );

/** Every way a secret commonly leaves a program. Logs are lines, so each line of it counts by itself too. */
function formsOf(secret: string): readonly string[] {
  const lines = secret.split(/\r?\n/).map((line) => line.trim());
  const whole = [secret, secret.trim()];
  const parts = lines.length > 1 ? lines.filter((line) => line.length >= shortestPart) : [];
  return [...new Set([...whole, ...parts])]
    .filter((text) => text.length >= shortestSecret)
    .flatMap((text) => [...plainForms(text), ...encodedForms(text)])
    .filter((form) => form.length >= shortestSecret);
}

function plainForms(text: string): string[] {
  const cased = text.length >= shortestPart ? [text.toUpperCase(), text.toLowerCase()] : [];
  const escaped = JSON.stringify(text).slice(1, -1);
  return [text, ...cased, escaped, JSON.stringify(escaped).slice(1, -1), escaped.replaceAll('/', '\\/')];
}

function encodedForms(text: string): string[] {
  const percent = encodeSafely(text);
  const form = percent.replaceAll('%20', '+');
  const strict = percent.replace(/[!'()*~]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const bytes = new TextEncoder().encode(text);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const addresses = [percent, form, strict].flatMap((address) => [address, lowerHex(address)]);
  const base64 = text.length >= shortestPart ? base64Forms(bytes) : [];
  return [...addresses, ...base64, ...(text.length >= shortestPart ? [hex, hex.toUpperCase()] : [])];
}

/** Half a surrogate pair cannot be percent-encoded; programs replace it, as the decoder does here. */
const encodeSafely = (text: string): string =>
  encodeURIComponent(new TextDecoder().decode(new TextEncoder().encode(text)));

const lowerHex = (address: string): string => address.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());

/**
 * Base64 of the bytes at each of the three positions they can have inside a longer text. The characters at
 * the ends that also depend on the neighbours are left out.
 */
function base64Forms(bytes: Uint8Array): string[] {
  const whole = toBase64(bytes);
  const unpadded = whole.replace(/=+$/, '');
  const inside = [0, 1, 2].map((offset) => {
    const shifted = new Uint8Array(offset + bytes.length);
    shifted.set(bytes, offset);
    const text = toBase64(shifted).replace(/=+$/, '');
    const dependsOnNext = (offset + bytes.length) % 3 === 0 ? 0 : 1;
    return text.slice(offset === 0 ? 0 : offset + 1, text.length - dependsOnNext);
  });
  return [whole, unpadded, ...inside.filter((text) => text.length >= 8)].flatMap((text) => [
    text,
    text.replaceAll('+', '-').replaceAll('/', '_'),
  ]);
}

const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** A storage: where the files of executions and namespaces are kept. This one forgets them with the process. */
export const memory = ({ defineStorage, z, integer }) =>
  defineStorage({
    type: 'acme.Memory',
    title: 'The memory of the process',
    description: 'For trying things out: files are gone when the server stops.',
    input: z.object({
      maxBytes: integer({ min: 1 }).default(100_000_000).describe('How much it takes at most.'),
    }),
    examples: [
      {
        title: 'In the configuration of the server.',
        runs: false,
        code: `storage:
  type: acme.Memory
  settings:
    maxBytes: 50000000
`,
      },
    ],
    open: ({ maxBytes }) => new MemoryFiles(maxBytes),
  });

/** Keys are paths like `company/team/flow/executions/…`; a folder is there as long as something is in it. */
class MemoryFiles {
  #files = new Map();
  #folders = new Set();
  #maxBytes;

  constructor(maxBytes) {
    this.#maxBytes = maxBytes;
  }

  async put(key, content) {
    const chunks = [];
    for await (const chunk of content) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const used = [...this.#files.values()].reduce((sum, file) => sum + file.bytes.length, 0);
    if (used + bytes.length > this.#maxBytes) throw new Error(`More than ${this.#maxBytes} bytes do not fit.`);
    const now = Date.now();
    this.#files.set(key, { bytes, createdAt: this.#files.get(key)?.createdAt ?? now, modifiedAt: now });
  }

  async read(key, range) {
    const bytes = this.#files.get(key)?.bytes;
    if (bytes === undefined) return undefined;
    const part = range ? bytes.subarray(range.start, range.end + 1) : bytes;
    return (async function* () {
      yield part;
    })();
  }

  async stat(key) {
    const file = this.#files.get(key);
    if (file) return this.#describe(file);
    return this.#isFolder(key) ? { kind: 'folder', sizeBytes: 0, createdAt: 0, modifiedAt: 0 } : undefined;
  }

  async list(folder) {
    if (folder !== '' && !this.#isFolder(folder)) return undefined;
    const prefix = folder === '' ? '' : `${folder}/`;
    const names = new Set();
    for (const key of [...this.#files.keys(), ...this.#folders])
      if (key.startsWith(prefix) && key !== folder) names.add(key.slice(prefix.length).split('/')[0]);
    const entries = [...names].sort().map(async (name) => ({ key: prefix + name, ...(await this.stat(prefix + name)) }));
    return Promise.all(entries);
  }

  async *walk(folder) {
    for (const [key, file] of this.#files)
      if (folder === '' || key.startsWith(`${folder}/`)) yield { key, ...this.#describe(file) };
  }

  async makeFolder(key) {
    this.#folders.add(key);
  }

  async move(from, to) {
    const moved = this.#below(from);
    if (moved.length === 0) return false;
    await this.delete(to);
    for (const [key, file] of moved) {
      this.#files.delete(key);
      this.#files.set(to + key.slice(from.length), file);
    }
    return true;
  }

  async delete(key) {
    const gone = this.#below(key);
    for (const [each] of gone) this.#files.delete(each);
    const folders = [...this.#folders].filter((each) => each === key || each.startsWith(`${key}/`));
    for (const each of folders) this.#folders.delete(each);
    return gone.length + folders.length > 0;
  }

  #below(key) {
    return [...this.#files].filter(([each]) => each === key || each.startsWith(`${key}/`));
  }

  #isFolder(key) {
    return this.#folders.has(key) || [...this.#files.keys(), ...this.#folders].some((each) => each.startsWith(`${key}/`));
  }

  #describe({ bytes, createdAt, modifiedAt }) {
    return { kind: 'file', sizeBytes: bytes.length, createdAt, modifiedAt };
  }
}

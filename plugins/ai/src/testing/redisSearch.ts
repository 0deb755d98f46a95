import { type Reply, startRedisStub } from '@millrace/plugin-redis/testing';
import { cosineOf } from '../embeddings/store.ts';

interface Index {
  readonly prefix: string;
  readonly dimension: number;
}

/**
 * A Redis with the commands of its query engine that the store uses. It refuses what the engine refuses: unknown
 * arguments, wrong counts, vectors of another length, and searches by distance without the second dialect.
 */
export async function startRedisSearch() {
  const hashes = new Map<string, Map<string, string>>();
  const indexes = new Map<string, Index>();
  const state = {
    /** The message for an index that does not exist; it differs between versions. */
    missing: 'Unknown index name',
    /** Whether writes fail for lack of memory. */
    isFull: false,
    commands: [] as string[],
  };
  const run = ([name = '', key = '', ...words]: readonly string[]): Reply => {
    const command = name.toUpperCase();
    state.commands.push(command);
    if (command === 'HSET') {
      if (state.isFull) throw new Error("OOM command not allowed when used memory > 'maxmemory'.");
      if (words.length === 0 || words.length % 2 !== 0) throw new Error('ERR wrong number of arguments');
      const hash = hashes.get(key) ?? new Map<string, string>();
      for (let at = 0; at < words.length; at += 2) hash.set(words[at] ?? '', words[at + 1] ?? '');
      hashes.set(key, hash);
      return words.length / 2;
    }
    if (command === 'FT.CREATE') {
      if (indexes.has(key)) throw new Error('Index already exists');
      indexes.set(key, readSchema(words));
      return 'OK';
    }
    const index = indexes.get(key);
    if (!command.startsWith('FT.')) throw new Error(`ERR unknown command '${name}'`);
    if (!index) throw new Error(state.missing);
    const documents = [...hashes].filter(([id]) => id.startsWith(index.prefix));
    if (command === 'FT.INFO') return ['index_name', key, 'num_docs', documents.length];
    if (command === 'FT.DROPINDEX') {
      indexes.delete(key);
      if (words[0] === 'DD') for (const [id] of documents) hashes.delete(id);
      return 'OK';
    }
    if (command === 'FT.SEARCH') return findNearest(index, documents, words);
    throw new Error(`ERR unknown command '${name}'`);
  };
  const stub = await startRedisStub((words) => {
    try {
      return run(words);
    } catch (error) {
      return error as Error; // `as`: only errors are thrown above.
    }
  });
  return Object.assign(state, stub);
}

function expectWords(words: string[], ...expected: string[]): void {
  const found = words.splice(0, expected.length);
  if (found.join(' ') !== expected.join(' '))
    throw new Error(`SEARCH_ARG_UNRECOGNIZED Unknown argument \`${found.join(' ')}\``);
}

/** The prefix and the length of the vectors of `FT.CREATE`. */
function readSchema(given: readonly string[]): Index {
  const words = [...given];
  expectWords(words, 'ON', 'HASH', 'PREFIX', '1');
  const prefix = words.shift() ?? '';
  expectWords(words, 'SCHEMA');
  let dimension = 0;
  while (words.length > 0) {
    const [field, kind] = words.splice(0, 2);
    if (kind === 'TEXT') {
      if (words[0] === 'NOINDEX') words.shift();
      continue;
    }
    if (field !== 'vector' || kind !== 'VECTOR') throw new Error(`Invalid field type for field \`${field}\``);
    expectWords(words, 'HNSW');
    const attributes = words.splice(0, Number(words.shift()));
    const attribute = (name: string) => attributes[attributes.indexOf(name) + 1];
    if (
      attributes.length !== 6 ||
      attribute('TYPE') !== 'FLOAT32' ||
      attribute('DISTANCE_METRIC') !== 'COSINE'
    )
      throw new Error('Bad arguments for vector similarity HNSW index');
    dimension = Number(attribute('DIM'));
  }
  if (!(dimension > 0)) throw new Error('Missing mandatory parameter: cannot create HNSW index without DIM');
  return { prefix, dimension };
}

const vectorOf = (bytes = ''): number[] => {
  const buffer = Buffer.from(bytes, 'latin1');
  return Array.from({ length: buffer.length / 4 }, (_, index) => buffer.readFloatLE(index * 4));
};

function findNearest(
  { dimension }: Index,
  documents: readonly (readonly [string, ReadonlyMap<string, string>])[],
  given: readonly string[],
): Reply {
  const words = [...given];
  const query = words.shift() ?? '';
  const [, size, parameter, alias = ''] = /^\*=>\[KNN (\d+) @vector \$(\w+) AS (\w+)\]$/.exec(query) ?? [];
  if (size === undefined || parameter === undefined) throw new Error(`Syntax error near ${query}`);
  expectWords(words, 'PARAMS', '2', parameter);
  const vector = vectorOf(words.shift());
  if (vector.length !== dimension)
    throw new Error(
      `Error parsing vector similarity query: query vector blob size (${vector.length * 4}) does not match index's expected size (${dimension * 4}).`,
    );
  expectWords(words, 'SORTBY', alias, 'RETURN');
  const fields = words.splice(0, Number(words.shift()));
  expectWords(words, 'LIMIT', '0');
  const limit = Number(words.shift());
  expectWords(words, 'DIALECT', '2');
  const found = documents
    .map(([id, hash]) => ({ id, hash, stored: vectorOf(hash.get('vector')) }))
    // The engine leaves out hashes whose vector has another length.
    .filter(({ stored }) => stored.length === dimension)
    .map(({ id, hash, stored }) => ({ id, hash, distance: 1 - cosineOf(stored, vector) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, Math.min(Number(size), limit));
  return [
    found.length,
    ...found.flatMap(({ id, hash, distance }) => [
      id,
      fields.flatMap((name) => [name, name === alias ? String(distance) : (hash.get(name) ?? '')]),
    ]),
  ];
}

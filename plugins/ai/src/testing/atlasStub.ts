import { aMongoStub } from '@millrace/plugin-mongodb/testing';
import { cosineOf } from '../embeddings/store.ts';

type Data = Readonly<Record<string, unknown>>;
interface Index {
  readonly name: string;
  readonly type: string;
  readonly definition: { readonly fields: readonly Data[] };
}

const refuse = (code: number, errmsg: string) => ({ ok: 0, code, errmsg });
const list = (firstBatch: readonly Data[]) => ({ cursor: { id: 0n, ns: 'docs.texts', firstBatch }, ok: 1 });

/** A MongoDB with the search indexes of Atlas, which refuses what Atlas refuses. */
export async function anAtlasStub() {
  const indexes: Index[] = [];
  const stub = await aMongoStub((command, documents) => {
    if ('createSearchIndexes' in command) {
      const [index] = command.indexes as Index[];
      const refusal = problemIn(index, documents.length, indexes);
      if (refusal) return refusal;
      indexes.push(index as Index);
      return { ok: 1, indexesCreated: [{ id: 'i1', name: index?.name }] };
    }
    if (!('aggregate' in command)) return undefined;
    const [first, second] = command.pipeline as Data[];
    if (first?.$listSearchIndexes) {
      const { name } = first.$listSearchIndexes as Data;
      return list(indexes.filter((index) => index.name === name).map((index) => ({ ...index })));
    }
    return search(first?.$vectorSearch as Data, second?.$project as Data, documents, indexes);
  });
  return Object.assign(stub, { indexes });
}

function problemIn(index: Index | undefined, documents: number, known: readonly Index[]) {
  if (documents === 0) return refuse(26, "Collection 'docs.texts' does not exist.");
  if (known.some(({ name }) => name === index?.name)) return refuse(68, 'Duplicate Index');
  const fields = index?.definition.fields ?? [];
  const isValid = fields.every(
    ({ type, path, numDimensions, similarity }) =>
      typeof path === 'string' &&
      (type === 'filter' ||
        (type === 'vector' &&
          Number(numDimensions) > 0 &&
          /^(cosine|euclidean|dotProduct)$/.test(`${similarity}`))),
  );
  if (index?.type !== 'vectorSearch' || !isValid || fields.length === 0)
    return refuse(40324, 'Attribute "definition" is not valid');
  return undefined;
}

function search(given: Data, projected: Data, documents: readonly Data[], indexes: readonly Index[]) {
  const { index: name, path, queryVector, numCandidates, limit } = given;
  const candidates = Number(numCandidates);
  if (!(candidates <= 10_000) || !(candidates >= Number(limit)))
    return refuse(2, '"numCandidates" must be within bounds [limit, 10000]');
  const index = indexes.find((one) => one.name === name);
  // Atlas finds nothing without an index.
  if (!index) return list([]);
  const field = index.definition.fields.find((one) => one.type === 'vector' && one.path === path);
  if (!field) return refuse(8, `${path} needs to be indexed as vector`);
  const vector = queryVector as number[];
  if (field.numDimensions !== vector.length)
    return refuse(
      8,
      `vector field is indexed with ${field.numDimensions} dimensions but queried with ${vector.length}`,
    );
  const found = documents
    .map((document) => ({ document, score: (1 + cosineOf(document[String(path)] as number[], vector)) / 2 }))
    .sort((a, b) => b.score - a.score)
    .slice(0, Number(limit));
  const projectedValue = (document: Data, score: number, key: string, value: unknown) =>
    JSON.stringify(value) === '{"$meta":"vectorSearchScore"}' ? score : document[key];
  return list(
    found.map(({ document, score }) => ({
      _id: document._id,
      ...Object.fromEntries(
        Object.entries(projected).map(([key, value]) => [key, projectedValue(document, score, key, value)]),
      ),
    })),
  );
}

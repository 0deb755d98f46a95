import { aPart, createPart, type Properties, type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import { callModel } from '../base/modelFailure.ts';
import { embeddingModelOf, type ModelProvider } from '../base/modelProvider.ts';
import { countProviderCall } from '../base/outputs.ts';

export const storePlace = 'EmbeddingStoreProvider';

export interface Entry {
  readonly id: string;
  readonly vector: readonly number[];
  readonly text: string;
  readonly metadata: Properties;
}

export interface Match {
  readonly text: string;
  readonly metadata: Properties;
  /** From 0 to 1: half of the cosine of the angle between both vectors, plus one half. */
  readonly score: number;
}

/** Stores texts with their vectors and finds the nearest ones to another vector. */
export interface EmbeddingStore {
  /** For metrics. */
  readonly name: string;
  add(entries: readonly Entry[]): Promise<void>;
  search(vector: readonly number[], maxResults: number, minScore: number): Promise<readonly Match[]>;
  /** Removes all entries. */
  clear(): Promise<void>;
  /** Writes buffered entries. */
  flush?(): Promise<void>;
  /** Outputs about the store for the flow. */
  readonly outputs?: Properties;
}

export const storeProperty = () => aPart(storePlace).describe('Where texts and their embeddings are kept.');

export const createStore = (context: TaskContext, written: Properties) =>
  createPart<EmbeddingStore>(context, storePlace, written, { isRendered: true });

export const scoreOfCosine = (cosine: number): number => (cosine + 1) / 2;

export function cosineOf(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length)
    throw new TaskFailed(
      `The store has embeddings of length ${b.length}, the model makes embeddings of length ${a.length}. Use the model that the texts were stored with.`,
      { retry: false },
    );
  let product = 0;
  let lengthA = 0;
  let lengthB = 0;
  for (const [index, x] of a.entries()) {
    const y = b[index] ?? 0;
    product += x * y;
    lengthA += x * x;
    lengthB += y * y;
  }
  return lengthA === 0 || lengthB === 0 ? 0 : product / Math.sqrt(lengthA * lengthB);
}

const defaultBatch = 100;

/** Embeds texts in batches that the service accepts; returns the embeddings and the token count. */
export async function embedTexts(
  context: TaskContext,
  provider: ModelProvider,
  texts: readonly string[],
): Promise<{ readonly vectors: readonly number[][]; readonly tokens: number }> {
  const model = await embeddingModelOf(provider);
  const size = Math.min((await model.maxEmbeddingsPerCall) ?? defaultBatch, defaultBatch);
  const vectors: number[][] = [];
  let tokens = 0;
  for (let start = 0; start < texts.length; start += size) {
    countProviderCall(context, provider.name);
    const { embeddings, usage } = await callModel(context, provider.name, () =>
      model.doEmbed({
        values: texts.slice(start, start + size),
        abortSignal: context.signal,
        ...(provider.embeddingOptions && { providerOptions: provider.embeddingOptions }),
      }),
    );
    vectors.push(...embeddings);
    tokens += usage?.tokens ?? 0;
  }
  return { vectors, tokens };
}

/** The only embedding of one text. */
export async function embedQuery(context: TaskContext, provider: ModelProvider, text: string) {
  const { vectors } = await embedTexts(context, provider, [text]);
  const [vector] = vectors;
  if (!vector) throw new TaskFailed(`${provider.name} returned no embedding.`);
  return vector;
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { LocalServer, readBody } from './localServer.ts';

type Data = Record<string, unknown>;
interface Row {
  readonly vector: number[];
  readonly payload: Data;
}
interface Reply {
  readonly status?: number;
  readonly body: unknown;
}

/**
 * The HTTP APIs of several embedding stores and web searches, as far as the family uses them. Each keeps its
 * rows in memory and, like the real ones, rejects a search in a collection that was not created.
 */
export class StoreServer extends LocalServer {
  #rows: Map<string, Row> | undefined;

  protected async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = (await readBody(request)).toString('utf8');
    const reply = this.#reply(request, text === '' ? {} : JSON.parse(text));
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json' });
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
  }

  clear(): void {
    this.#rows = undefined;
  }

  #reply(request: IncomingMessage, body: Data): Reply {
    const { pathname: path, searchParams } = new URL(request.url ?? '/', this.url);
    const method = request.method ?? 'GET';
    if (path === '/page') return { body: 'A page of the web.' };
    if (path === '/tavily/search')
      return request.headers.authorization === 'Bearer tavily-key'
        ? { body: { results: [{ title: 'Tavily', url: 'https://t', content: `about ${body.query}` }] } }
        : { status: 401, body: { detail: { error: 'Unauthorized' } } };
    if (path.startsWith('/google/'))
      return {
        body: { items: [{ title: 'Google', link: 'https://g', snippet: `about ${searchParams.get('q')}` }] },
      };
    if (path.startsWith('/collections/')) return this.#qdrant(method, path, body);
    if (path.startsWith('/chroma/')) return this.#chroma(method, path, body);
    if (path.startsWith('/elastic/')) return this.#elastic(request, method, path, body);
    if (path.startsWith('/pinecone')) return this.#pinecone(method, path, body);
    if (path.startsWith('/v1/')) return this.#weaviate(method, path, body);
    if (path.startsWith('/v2/vectordb/')) return this.#milvus(path.slice('/v2/vectordb/'.length), body);
    return { status: 404, body: { error: path } };
  }

  #put(id: unknown, vector: unknown, payload: Data): void {
    this.#rows?.set(String(id), { vector: vector as number[], payload });
  }

  #closest(vector: unknown, count: unknown) {
    return [...(this.#rows ?? [])]
      .map(([id, row]) => ({ id, ...row, cosine: cosine(row.vector, vector as number[]) }))
      .sort((a, b) => b.cosine - a.cosine)
      .slice(0, Number(count));
  }

  #qdrant(method: string, path: string, body: Data): Reply {
    if (path.endsWith('/points/search')) {
      if (!this.#rows) return { status: 404, body: { status: { error: 'Not found: Collection `docs`' } } };
      const found = this.#closest(body.vector, body.limit);
      return { body: { result: found.map(({ id, payload, cosine: score }) => ({ id, payload, score })) } };
    }
    if (path.endsWith('/points')) {
      for (const { id, vector, payload } of body.points as Data[]) this.#put(id, vector, payload as Data);
      return { body: { result: {} } };
    }
    if (method === 'GET') return this.#rows ? { body: { result: {} } } : { status: 404, body: {} };
    this.#rows = method === 'PUT' ? new Map() : undefined;
    return { body: { result: true } };
  }

  #chroma(method: string, path: string, body: Data): Reply {
    if (method === 'DELETE') {
      this.#rows = undefined;
      return { body: {} };
    }
    if (path.endsWith('/collections')) {
      this.#rows ??= new Map();
      return { body: { id: 'c1', name: body.name } };
    }
    if (path.endsWith('/c1/upsert')) {
      const [vectors, documents, metadatas] = [
        body.embeddings,
        body.documents,
        body.metadatas,
      ] as unknown[][];
      for (const [index, id] of (body.ids as string[]).entries())
        this.#put(id, vectors?.[index], { document: documents?.[index], metadata: metadatas?.[index] });
      return { body: {} };
    }
    const found = this.#closest((body.query_embeddings as number[][])[0], body.n_results);
    return {
      body: {
        documents: [found.map(({ payload }) => payload.document)],
        metadatas: [found.map(({ payload }) => payload.metadata)],
        distances: [found.map(({ cosine: value }) => 1 - value)],
      },
    };
  }

  #elastic({ headers }: IncomingMessage, method: string, path: string, body: Data): Reply {
    if (headers.authorization !== `Basic ${Buffer.from('u:p').toString('base64')}`)
      return { status: 401, body: { error: { reason: 'missing authentication credentials' } } };
    if (path.includes('/_doc/')) {
      this.#put(path.split('/').at(-1), body.vector, { text: body.text, metadata: body.metadata });
      return { body: { result: 'created' } };
    }
    if (path.endsWith('/_search')) {
      const { query_vector: vector, k } = body.knn as Data;
      const hits = this.#closest(vector, k).map(({ id, payload, cosine: value }) => ({
        _id: id,
        _score: (1 + value) / 2,
        _source: payload,
      }));
      return { body: { hits: { hits } } };
    }
    if (path.endsWith('/_refresh')) return { body: {} };
    if (method === 'GET') return this.#rows ? { body: {} } : { status: 404, body: {} };
    this.#rows = method === 'PUT' ? new Map() : undefined;
    return { body: { acknowledged: true } };
  }

  #weaviate(method: string, path: string, body: Data): Reply {
    if (path.startsWith('/v1/schema/') && method === 'DELETE') {
      this.#rows = undefined;
      return { body: {} };
    }
    if (path === '/v1/batch/objects') {
      this.#rows ??= new Map();
      for (const { id, vector, properties } of body.objects as Data[])
        this.#put(id, vector, properties as Data);
      return { body: {} };
    }
    const query = String(body.query);
    const vector = JSON.parse(/vector: (\[[^\]]*\])/.exec(query)?.[1] ?? '[]');
    const found = this.#closest(vector, /limit: (\d+)/.exec(query)?.[1]);
    return {
      body: {
        data: {
          Get: {
            Docs: found.map(({ payload, cosine: value }) => ({
              ...payload,
              _additional: { distance: 1 - value },
            })),
          },
        },
      },
    };
  }

  #pinecone(method: string, path: string, body: Data): Reply {
    const host = `${this.url}/pinecone/data`;
    if (path === '/pinecone/indexes/docs') return this.#rows ? { body: { host } } : { status: 404, body: {} };
    if (path === '/pinecone/indexes' && method === 'POST') {
      this.#rows = new Map();
      return { status: 201, body: { host } };
    }
    if (path.endsWith('/vectors/upsert')) {
      for (const { id, values, metadata } of body.vectors as Data[]) this.#put(id, values, metadata as Data);
      return { body: {} };
    }
    if (path.endsWith('/vectors/delete')) {
      this.#rows?.clear();
      return { body: {} };
    }
    const matches = this.#closest(body.vector, body.topK).map(({ id, payload, cosine: score }) => ({
      id,
      score,
      metadata: payload,
    }));
    return { body: { matches } };
  }

  #milvus(action: string, body: Data): Reply {
    const fine = (data: unknown): Reply => ({ body: { code: 0, data } });
    if (action === 'collections/has') return fine({ has: this.#rows !== undefined });
    if (action === 'collections/create') this.#rows = new Map();
    if (action === 'collections/drop') this.#rows = undefined;
    if (action === 'entities/insert')
      for (const { id, vector, ...payload } of body.data as Data[]) this.#put(id, vector, payload);
    if (action !== 'entities/search') return fine({});
    if (!this.#rows) return { body: { code: 100, message: 'collection not found' } };
    const found = this.#closest((body.data as number[][])[0], body.limit);
    return fine(found.map(({ payload, cosine: distance }) => ({ ...payload, distance })));
  }
}

const cosine = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0) /
  (Math.hypot(...a) * Math.hypot(...b) || 1);

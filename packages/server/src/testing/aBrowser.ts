import type { InjectOptions } from 'fastify';
import type { TestServer } from './aServer.ts';

/** Keeps the cookies that a server sets and sends them back, as a browser does. */
export function aBrowser(server: () => TestServer, headers: Record<string, string> = {}) {
  const jar = new Map<string, string>();
  const send = async (
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    options: Partial<InjectOptions> = {},
  ) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await server().app.inject({
      ...options,
      method,
      url,
      headers: { ...(cookie === '' ? {} : { cookie }), ...headers, ...options.headers },
    } as InjectOptions);
    for (const { name, value, maxAge } of answer.cookies) {
      if (maxAge === 0) jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  };
  return {
    jar,
    send,
    login: (username: string, password: string) =>
      send('POST', '/login', { payload: { username, password } }),
    renew: () => send('POST', '/oauth/access_token?grant_type=refresh_token'),
    logout: (query = '') => send('POST', `/logout${query}`),
    /** Whether the API lets it in. */
    status: async () => (await send('GET', '/api/v1/flows/search')).statusCode,
  };
}

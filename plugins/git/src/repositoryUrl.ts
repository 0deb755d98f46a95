import { TaskFailed } from '@millrace/plugin-kit';

export type RepositoryUrl =
  | { readonly kind: 'http'; readonly text: string }
  | {
      readonly kind: 'ssh';
      readonly text: string;
      readonly host: string;
      readonly port: number;
    }
  | { readonly kind: 'file'; readonly text: string; readonly path: string };

/** Parses the URL of a repository; rejects URLs that would start a program. */
export function readRepositoryUrl(url: string | undefined, username?: string): RepositoryUrl {
  const text = url?.trim() ?? '';
  if (text === '') throw new TaskFailed('The property "url" must be given.', { retry: false });
  if (/^https?:\/\//i.test(text)) return { kind: 'http', text: withUser(new URL(text), username) };
  if (/^ssh:\/\//i.test(text)) {
    const parsed = new URL(text);
    if (parsed.username === '') parsed.username = username ?? 'git';
    return { kind: 'ssh', text: parsed.href, host: bare(parsed.hostname), port: Number(parsed.port || 22) };
  }
  if (/^file:\/\//i.test(text) || text.startsWith('/')) {
    const path = text.startsWith('/') ? text : decodeURIComponent(new URL(text).pathname);
    return { kind: 'file', text: `file://${path}`, path };
  }
  // The short form of SSH, `user@host:path`; other schemes such as git:// are refused.
  const scp = text.includes('://') ? null : /^(?:([^@/:\s]+)@)?([^-@/:\s][^@/:\s]*):(?!:)(\S.*)$/.exec(text);
  if (scp?.[2] !== undefined && scp[3] !== undefined) {
    const user = scp[1] ?? username ?? 'git';
    return { kind: 'ssh', text: `${user}@${scp[2]}:${scp[3]}`, host: scp[2], port: 22 };
  }
  throw new TaskFailed(
    `The address "${text}" is not a repository; expected https://, ssh://, git@host:path or file://.`,
    { retry: false },
  );
}

const bare = (host: string): string => host.replace(/^\[|\]$/g, '');

/** The user name selects the credentials; the URL never contains the password. */
function withUser(url: URL, username: string | undefined): string {
  if (username !== undefined && url.username === '') url.username = username;
  return url.href;
}

/** The web page of a commit, as the large hosts lay it out. */
export function commitUrl(url: RepositoryUrl, commitId: string): string | undefined {
  const page = webPage(url);
  if (page === undefined) return undefined;
  const folder = page.includes('bitbucket.org') ? 'commits' : 'commit';
  return `${page}/${folder}/${commitId}`;
}

function webPage(url: RepositoryUrl): string | undefined {
  if (url.kind === 'file') return undefined;
  if (url.kind === 'http') {
    const parsed = new URL(url.text);
    return `${parsed.origin}${trim(parsed.pathname)}`;
  }
  const path = url.text.startsWith('ssh://') ? new URL(url.text).pathname : url.text.replace(/^[^:]*:/, '');
  return `https://${url.host}/${trim(path).replace(/^\/+/, '')}`;
}

const trim = (path: string): string => path.replace(/\/+$/, '').replace(/\.git$/, '');
